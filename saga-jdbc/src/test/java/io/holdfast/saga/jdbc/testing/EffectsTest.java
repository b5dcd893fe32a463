package io.holdfast.saga.jdbc.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;

@PostgresTest
class EffectsTest {

    private final UUID saga = UUID.randomUUID();

    @Test
    void survive_the_rollback_of_the_transaction_beside_them(TestDatabase database) {
        try (var effects = Effects.install(database)) {
            var effect = Effect.action(saga, "reserve").by("node-1", 3).withKey("k");
            try (var transaction = OpenTransaction.begin(database.dataSource())) {
                transaction.execute("CREATE TABLE t (id int)");
                effects.append(effect);
                transaction.rollback();
            }
            assertThat(effects.all()).containsExactly(effect);
        }
    }

    @Test
    void are_counted_and_told_per_saga_in_their_order(TestDatabase database) {
        try (var effects = Effects.install(database)) {
            effects.append(Effect.action(saga, "reserve"));
            effects.append(Effect.action(UUID.randomUUID(), "reserve"));
            effects.append(Effect.compensation(saga, "reserve"));

            assertThat(effects.count("reserve", Effect.ACTION)).isEqualTo(2);
            effects.assertRan(saga, "reserve action", "reserve compensation");
            assertThatThrownBy(() -> effects.assertRan(saga, "reserve action")).isInstanceOf(AssertionError.class);
        }
    }

    @Test
    void all_fixtures_can_be_installed_side_by_side(TestDatabase database) {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS, Fixtures.STOCK, Fixtures.ACCOUNT, Fixtures.EFFECT);

        assertThat(Sql.value(database.dataSource(), Long.class, "SELECT count(*) FROM orders"))
                .isEqualTo(20);
        assertThat(Sql.value(database.dataSource(), Long.class, "SELECT sum(qty) FROM stock"))
                .isEqualTo(20);
    }
}
