/** Definitions, their builders, and the runtime that drives sagas. */
@NullMarked
package io.holdfast.saga;

import org.jspecify.annotations.NullMarked;
