/** Shares of limited resources that a saga keeps for a while: try, confirm, cancel. */
@NullMarked
package io.holdfast.saga.jdbc.reservation;

import org.jspecify.annotations.NullMarked;
