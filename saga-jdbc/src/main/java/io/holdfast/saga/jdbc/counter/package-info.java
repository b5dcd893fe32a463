/** Numbers that are changed by deltas, never overwritten: what commutes needs no lock. */
@NullMarked
package io.holdfast.saga.jdbc.counter;

import org.jspecify.annotations.NullMarked;
