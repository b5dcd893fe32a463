/** How reservations are made, kept, settled and given back, and how they expire. Not exported. */
@NullMarked
package io.holdfast.saga.jdbc.internal.reservation;

import org.jspecify.annotations.NullMarked;
