package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.Holding;
import java.util.List;
import org.jooq.DSLContext;

/** Knows what receipts mean: extends the deadlines of the rows they name. Threadsafe. */
@FunctionalInterface
public interface HoldingExtender {
    /**
     * Extends, table by table in key order, skipping locked rows, and only rows below half of their duration.
     *
     * @param dsl on a connection whose statements commit by themselves
     * @param holdings what the node's sagas hold
     */
    void extend(DSLContext dsl, List<Holding> holdings);
}
