/** For participants in other services: calls of sagas that arrive twice, late, or before what they undo. */
@NullMarked
package io.holdfast.saga.jdbc.barrier;

import org.jspecify.annotations.NullMarked;
