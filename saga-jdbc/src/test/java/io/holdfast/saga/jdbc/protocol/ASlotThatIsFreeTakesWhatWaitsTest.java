package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaState;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Back-pressure: what finds no slot is stored, and no wake-up for it is lost. */
@ProtocolTest
class ASlotThatIsFreeTakesWhatWaitsTest {
    /** A pass that found nothing has reserved the slots still; what is stored meanwhile must not wait for the next pass. */
    @Test
    void also_what_was_stored_while_a_pass_had_reserved_it(World world) {
        TestNode a = world.node("a").capacity(1).knowing(Play.TAKES.with(world.acts()));
        AtomicBoolean first = new AtomicBoolean(true);
        AtomicReference<UUID> stored = new AtomicReference<>();
        a.hooks().after("claimDue", () -> {
            if (first.getAndSet(false)) {
                stored.set(a.start("while the slot is reserved").sagaId());
            }
        });

        assertThat(a.tick().claimed()).isZero();

        world.waitUntil("it is taken up", () -> world.saga(stored.get()).state() == SagaState.COMPLETED);
        assertThat(world.saga(stored.get()).runSeq()).isEqualTo(1);
        world.waitUntil("a is through", () -> a.engine().active() == 0);
    }
}
