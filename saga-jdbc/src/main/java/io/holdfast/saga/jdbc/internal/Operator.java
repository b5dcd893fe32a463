package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.Verdict;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.jdbc.admin.SagaAdmin;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import java.util.UUID;

/** An operator's actions, under a name. */
record Operator(Engine engine, String name) implements SagaAdmin {
    @Override
    public Verdict retry(UUID sagaId, String why) {
        return act(sagaId, OperatorAction.RETRY, why);
    }

    @Override
    public Verdict turnBack(UUID sagaId, String why) {
        return act(sagaId, OperatorAction.TURN_BACK, why);
    }

    private Verdict act(UUID sagaId, OperatorAction action, String why) {
        Checks.argument("saga id", sagaId);
        return engine.operate(sagaId, action, name + ": " + Checks.reason("reason", why));
    }
}
