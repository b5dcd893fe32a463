package io.holdfast.saga.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class DigestsTest {
    private static final UUID INCARNATION = UUID.fromString("00000000-0000-4000-8000-000000000001");

    @Test
    void an_id_follows_from_type_and_key_for_ever() {
        assertThat(Digests.sagaId("order", "42"))
                .as("a stored id must never change")
                .isEqualTo(UUID.fromString("0062492b-463a-8045-bf3b-6fdeae36738b"));
    }

    @Test
    void type_and_key_do_not_run_together() {
        Set<UUID> ids = new HashSet<>();
        ids.add(Digests.sagaId("order", "42"));
        ids.add(Digests.sagaId("order4", "2"));
        ids.add(Digests.sagaId("orde", "r42"));
        ids.add(Digests.sagaId("o", "rder42"));
        ids.add(Digests.sagaId("1", "1:1x"));
        ids.add(Digests.sagaId("11", ":1x"));
        ids.add(Digests.sagaId("1:1", "x"));
        assertThat(ids).hasSize(7);
    }

    @Test
    void an_id_is_a_uuid_of_version_8() {
        for (int i = 0; i < 100; i++) {
            UUID id = Digests.sagaId("order", "key-" + i);
            assertThat(id.version()).isEqualTo(8);
            assertThat(id.variant()).isEqualTo(2);
        }
    }

    @Test
    void an_idempotency_key_differs_by_saga_step_and_direction_only() {
        String key = Digests.idempotencyKey(INCARNATION, "pay", "FORWARD");

        assertThat(key).matches("[0-9a-f]{40}").isEqualTo(Digests.idempotencyKey(INCARNATION, "pay", "FORWARD"));
        assertThat(Digests.idempotencyKey(INCARNATION, "pay", "BACKWARD")).isNotEqualTo(key);
        assertThat(Digests.idempotencyKey(INCARNATION, "ship", "FORWARD")).isNotEqualTo(key);
        assertThat(Digests.idempotencyKey(UUID.randomUUID(), "pay", "FORWARD")).isNotEqualTo(key);
    }

    @Test
    void an_idempotency_key_never_changes() {
        assertThat(Digests.idempotencyKey(INCARNATION, "pay", "FORWARD"))
                .as("participants remember it")
                .isEqualTo("af197a657df709c3db7de2a825fbce3972eed96c");
    }
}
