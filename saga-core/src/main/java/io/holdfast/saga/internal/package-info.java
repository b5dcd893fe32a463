/** The engine. Not exported but to the library's own modules. */
@NullMarked
package io.holdfast.saga.internal;

import org.jspecify.annotations.NullMarked;
