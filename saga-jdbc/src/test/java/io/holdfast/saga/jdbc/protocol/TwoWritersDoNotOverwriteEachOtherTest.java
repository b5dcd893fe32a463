package io.holdfast.saga.jdbc.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.spi.StoredSaga;
import org.junit.jupiter.api.Test;

/** B13: the saga's row is changed by compare-and-set only. */
@ProtocolTest
class TwoWritersDoNotOverwriteEachOtherTest {
    /** Without the guard the second of two who read the same saga overwrites the first. */
    @Test
    void of_two_who_read_the_same_the_second_changes_nothing(World world) {
        Abandoned abandoned = abandoned(world);
        StoredSaga read = abandoned.expired("twice");
        StoredSaga again = world.saga(read.sagaId());

        assertThat(abandoned.finish(read)).isTrue();
        StoredSaga finished = world.saga(read.sagaId());
        assertThat(abandoned.finish(again)).isFalse();

        assertThat(world.saga(read.sagaId()).position()).isEqualTo(finished.position());
        assertThat(world.story(read.sagaId())).containsExactly("STARTED call", "STEP_DONE call", "COMPLETED");
    }

    /** A saga that is gone is not inserted again by somebody who remembers it. */
    @Test
    void what_was_deleted_stays_so(World world) {
        Abandoned abandoned = abandoned(world);
        StoredSaga read = abandoned.expired("deleted");
        world.execute("DELETE FROM {log}");
        world.execute("DELETE FROM {saga}");

        assertThat(abandoned.finish(read)).isFalse();
        assertThat(world.store().load(read.sagaId())).isEmpty();
        assertThat(world.journal(read.sagaId())).isEmpty();
    }

    private static Abandoned abandoned(World world) {
        SagaDefinition<Order> definition = SagaDefinition.builder(Order.TYPE)
                .step(world.acts().undoable("call"))
                .build();
        return new Abandoned(world, definition, "call");
    }
}
