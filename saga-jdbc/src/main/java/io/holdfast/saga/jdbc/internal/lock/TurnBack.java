package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import java.util.UUID;

final class TurnBack {
    private final JdbcTransaction transaction;

    TurnBack(JdbcTransaction transaction) {
        this.transaction = transaction;
    }

    boolean turn(UUID sagaId, String node, String why) {
        return false;
    }
}
