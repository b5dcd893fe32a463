package io.holdfast.saga.jdbc.internal.lock;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A row as a claim found it, locked by the claim's transaction since, and what became of it.
 *
 * @param id as the database prints it
 * @param former its status before
 * @param holder who held it before, as the database prints it, or null
 * @param until its deadline before
 * @param fate what the claim did
 */
record SeenRow(
        List<String> id, @Nullable String former, @Nullable String holder, Until until, Fate fate) {

    /**
     * A deadline.
     *
     * @param text as the database prints it, exact
     * @param at for people; null for none and for infinite ones
     * @param passed whether it is over; none counts as over
     */
    record Until(@Nullable String text, @Nullable Instant at, boolean passed) {}

    /**
     * What the claim did to it.
     *
     * @param takeable whether it was free, or the saga's own
     * @param marked whether it came out of the update as it was asked for
     * @param watched whether triggers run after the update, which it cannot see
     */
    record Fate(boolean takeable, boolean marked, boolean watched) {}
}
