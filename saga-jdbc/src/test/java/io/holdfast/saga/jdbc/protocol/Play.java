package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import java.time.Duration;
import java.util.function.Function;

/** Definitions that nodes in other JVMs know too. */
enum Play {
    /** Two local steps that can be undone. */
    TAKES(acts -> SagaDefinition.builder(Order.TYPE)
            .step(acts.undoableLocal("take-1"))
            .step(acts.undoableLocal("take-2"))
            .build()),

    /** An order held while somebody elsewhere is called. */
    HELD(acts -> {
        SemanticLock<Order> order = orders(acts).deadline(Duration.ofMillis(800));
        return SagaDefinition.builder(Order.TYPE)
                .step(order.claim("claim"))
                .step(acts.undoable("call"))
                .pivot(acts.local("take"))
                .then(order.release("release", "DONE"))
                .build();
    }),

    /** Two calls, and a third step that is always refused: it turns back. */
    TURNS_BACK(acts -> {
        acts.rejectAt("refused");
        return SagaDefinition.builder(Order.TYPE)
                .step(acts.undoable("call-1"))
                .step(acts.undoable("call-2"))
                .step(acts.undoable("refused"))
                .build();
    }),

    /** The shop's: reserve, authorize, capture (the pivot), ship. All of it elsewhere. */
    PIVOT(acts -> SagaDefinition.builder(Order.TYPE)
            .step(acts.undoable("reserve"))
            .step(acts.undoable("authorize"))
            .pivot(acts.external("capture").retry(RetryPolicy.fixed(Duration.ofMillis(10))))
            .then(acts.external("ship"))
            .build());

    @SuppressWarnings("ImmutableEnumChecker") // a pure function
    private final Function<Acts, SagaDefinition<Order>> definition;

    Play(Function<Acts, SagaDefinition<Order>> definition) {
        this.definition = definition;
    }

    SagaDefinition<Order> with(Acts acts) {
        return definition.apply(acts);
    }

    /** Order by order. */
    static SemanticLock<Order> orders(Acts acts) {
        return acts.steps()
                .lock(BusinessTable.of("public", "orders"), Order::id)
                .from("NEW");
    }
}
