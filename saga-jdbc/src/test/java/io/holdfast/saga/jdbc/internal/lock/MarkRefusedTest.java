package io.holdfast.saga.jdbc.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.testing.Fixtures;
import io.holdfast.saga.jdbc.testing.PostgresTest;
import io.holdfast.saga.jdbc.testing.TestDatabase;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** B54: triggers, rules and constraints that lie about what an update did. */
@PostgresTest
class MarkRefusedTest {
    private static final LockSpec LOCK = LockSpec.on(TableSpec.of("orders")).from("NEW");

    private final LockWorld world;
    private final TestDatabase database;

    MarkRefusedTest(TestDatabase database) {
        this.database = database;
        this.world = new LockWorld(database.pool(2));
    }

    @BeforeEach
    void orders() {
        Fixtures.install(database.dataSource(), Fixtures.ORDERS);
    }

    private void trigger(String timing, String body) {
        world.sql("CREATE FUNCTION lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN " + body + " END $$;"
                + "CREATE TRIGGER lie " + timing + " UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION lie()");
    }

    private void assertClaimRefused() {
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> world.claim(LOCK, world.saga(), 1L))
                    .isInstanceOfSatisfying(
                            RowUnavailableException.class,
                            e -> assertThat(e.reason()).isEqualTo(Reason.MARK_REFUSED));
        }
        assertThat(world.row("orders", "id = 1")).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @ParameterizedTest
    @DisplayName("B54 (a), (b): a BEFORE trigger that swallows or changes the mark")
    @ValueSource(
            strings = {
                "RETURN NULL;",
                "RETURN OLD;",
                "NEW.status := lower(NEW.status); RETURN NEW;",
                "NEW.saga_id := NULL; RETURN NEW;",
                "NEW.locked_until := clock_timestamp(); RETURN NEW;",
                "NEW.locked_until := 'infinity'; RETURN NEW;",
                "NEW.locked_until := NULL; RETURN NEW;",
                "DELETE FROM orders WHERE id = OLD.id; RETURN NEW;",
                "DELETE FROM orders WHERE id = OLD.id; RETURN OLD;"
            })
    void a_before_trigger(String body) {
        trigger("BEFORE", body);

        assertClaimRefused();
    }

    @ParameterizedTest
    @DisplayName("B54 (c): an AFTER trigger that deletes the row or takes the mark off again")
    @ValueSource(
            strings = {
                "DELETE FROM orders WHERE id = OLD.id; RETURN NULL;",
                "IF NEW.status = 'PENDING' THEN UPDATE orders SET status = 'NEW' WHERE id = OLD.id; END IF; RETURN"
                        + " NULL;",
                "IF NEW.saga_id IS NOT NULL THEN UPDATE orders SET saga_id = NULL WHERE id = OLD.id; END IF; RETURN"
                        + " NULL;"
            })
    void an_after_trigger(String body) {
        trigger("AFTER", body);

        assertClaimRefused();
    }

    @Test
    void an_honest_trigger_is_no_hindrance() {
        world.sql("CREATE TABLE audit (id bigint, status text)");
        trigger("AFTER", "INSERT INTO audit VALUES (NEW.id, NEW.status); RETURN NULL;");
        UUID saga = world.saga();

        LockReceipt receipt = world.claim(LOCK, saga, 1L);
        world.release(saga, receipt, "CONFIRMED");

        assertThat(world.value(String.class, "SELECT string_agg(status, ' ') FROM audit"))
                .isEqualTo("PENDING CONFIRMED");
    }

    @ParameterizedTest
    @DisplayName("B54 (d): a rule that rewrites the update")
    @ValueSource(
            strings = {
                "DO INSTEAD NOTHING",
                "DO INSTEAD UPDATE other SET status = NEW.status WHERE id = NEW.id",
                "DO ALSO INSERT INTO other VALUES (NEW.id, NEW.status)"
            })
    void a_rule(String action) {
        world.sql("CREATE TABLE other (id bigint, status text); CREATE RULE lie AS ON UPDATE TO orders " + action);

        assertClaimRefused();
    }

    @Test
    @DisplayName("B54 (e): a view in the place of the table")
    void a_view() {
        world.sql("ALTER TABLE orders RENAME TO base; CREATE VIEW orders AS SELECT * FROM base;"
                + "CREATE FUNCTION lie() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$;"
                + "CREATE TRIGGER lie INSTEAD OF UPDATE ON orders FOR EACH ROW EXECUTE FUNCTION lie()");

        assertThatThrownBy(() -> world.claim(LOCK, world.saga(), 1L)).isNotNull();

        assertThat(world.row("base", "id = 1")).containsEntry("status", "NEW").containsEntry("saga_id", null);
    }

    @Test
    void a_check_constraint_without_the_pending_status() {
        world.sql("ALTER TABLE orders ADD CHECK (status IN ('NEW', 'CONFIRMED'))");

        assertClaimRefused();
    }

    @ParameterizedTest
    @DisplayName("B54: a release that does not come out as asked is refused as well")
    @ValueSource(strings = {"RETURN NULL;", "RETURN OLD;", "NEW.status := lower(NEW.status); RETURN NEW;"})
    void a_release(String body) {
        UUID saga = world.saga();
        LockReceipt receipt = world.claim(LOCK, saga, 1L);
        trigger("BEFORE", body);

        assertThatThrownBy(() -> world.release(saga, receipt, "CONFIRMED"))
                .isInstanceOfSatisfying(
                        RowUnavailableException.class,
                        e -> assertThat(e.reason()).isEqualTo(Reason.MARK_REFUSED));

        assertThat(world.row("orders", "id = 1")).containsEntry("saga_id", saga);
    }
}
