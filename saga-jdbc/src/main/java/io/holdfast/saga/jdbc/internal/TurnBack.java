package io.holdfast.saga.jdbc.internal;

import java.util.UUID;

/** A cancel as part of another saga's transaction: it happens when that one commits. */
public final class TurnBack {
    private TurnBack() {}

    /** Returns false when the saga is not running any more, or its pivot has begun. */
    public static boolean in(JdbcTransaction transaction, UUID sagaId, String node, String reason) {
        SagaRequests requests = new SagaRequests(transaction.tables());
        return transaction.dsl().connectionResult(connection -> requests.cancel(connection, sagaId, node, reason));
    }
}
