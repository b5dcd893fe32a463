/** Sagas without a database, in virtual time, for unit tests. */
@NullMarked
package io.holdfast.saga.memory;

import org.jspecify.annotations.NullMarked;
