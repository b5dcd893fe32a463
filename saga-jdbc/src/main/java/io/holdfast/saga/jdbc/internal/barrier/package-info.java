/** The barrier's table, its statements, and what is answered to a call. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.barrier;

import org.jspecify.annotations.NullMarked;
