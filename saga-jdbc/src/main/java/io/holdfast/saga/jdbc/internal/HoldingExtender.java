package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.spi.Holding;
import java.time.OffsetDateTime;
import java.util.List;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;

/** Knows what receipts mean: extends the deadlines of the rows they name. Threadsafe. */
@FunctionalInterface
public interface HoldingExtender {
    /**
     * Extends, table by table in key order, skipping locked rows, and only rows below half of their duration.
     *
     * @param dsl on a connection whose statements commit by themselves
     * @param holdings what the node's sagas hold
     * @param until nothing is extended from this moment on, by the database's clock: a node that froze before it sent the statement may have
     *     lost the sagas meanwhile; null for no limit
     */
    void extend(DSLContext dsl, List<Holding> holdings, @Nullable OffsetDateTime until);
}
