package io.holdfast.saga.jdbc.protocol;

import io.holdfast.saga.Direction;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.Pivot;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.DefinitionRef;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;

/** Sagas of a node that is gone, before it did anything, and what that node would still write if it came back. */
final class Abandoned {
    static final String NODE = "gone";

    private final World world;
    private final SagaDefinition<Order> definition;
    private final String firstStep;

    Abandoned(World world, SagaDefinition<Order> definition, String firstStep) {
        this.world = world;
        this.definition = definition;
        this.firstStep = firstStep;
    }

    /** Several with expired leases. */
    List<StoredSaga> expired(int number) {
        return IntStream.range(0, number)
                .mapToObj(i -> expired("abandoned-" + i))
                .toList();
    }

    StoredSaga expired(String key) {
        StoredSaga saga = world.store()
                .insertOwned(saga(key), NODE, Duration.ofMinutes(1))
                .saga();
        world.expireLease(saga.sagaId());
        return saga;
    }

    private NewSaga saga(String key) {
        DefinitionRef ref = new DefinitionRef(Order.TYPE.name(), Order.TYPE.version(), definition.hash());
        UUID id = UUID.randomUUID();
        return new NewSaga(id, ref, key, "same", UUID.randomUUID(), "{\"id\": 1}", firstStep, null);
    }

    /** Its owner finishes it, as it sees it. True when that counted. */
    boolean finish(StoredSaga saga) {
        Change completed = new Change(
                SagaState.COMPLETED,
                Direction.FORWARD,
                Pivot.NONE,
                new Change.Progress(saga.step(), 0, Change.Counters.NEW_STEP),
                new Change.Ended(),
                null,
                List.of(
                        NewEntry.of(Kind.STEP_DONE, saga.step(), Direction.FORWARD)
                                .attempt(1),
                        NewEntry.of(Kind.COMPLETED, null, Direction.FORWARD)));
        return world.store().move(saga.guard(), NODE, completed).isPresent();
    }
}
