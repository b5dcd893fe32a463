package io.holdfast.saga.jdbc.internal.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.JdbcSteps;
import io.holdfast.saga.jdbc.RowId;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.lock.SemanticLock;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.UUID;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a lock refuses at the call that gives it. */
class LockSpecTest {
    /** The data of a saga. */
    record Order(long id, UUID uuid) {}

    private static final BusinessTable ORDERS = BusinessTable.of("orders");
    private static final JdbcSteps<Order> STEPS = JdbcSteps.of(Order.class);
    private static final SemanticLock<Order> LOCK = STEPS.lock(ORDERS, Order::id);

    private static void assertRefused(SagaError error, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        SagaDefinitionException.class,
                        e -> assertThat(e.error()).isEqualTo(error));
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = {"", "  ", "\u0000", "\uD800"})
    void statuses_that_are_none_are_refused(String status) {
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from(status));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from("NEW", status));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.pending(status));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.orphanedAs(status));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.release("release", status));
    }

    @Test
    void statuses_that_contradict_each_other_are_refused() {
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from());
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from((String[]) null));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from("NEW", "PENDING"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from("NEW").pending("NEW"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.orphanedAs("PENDING"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.from("NEW").orphanedAs("OLD"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.orphanedAs("OLD").from("NEW"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.release("release", "PENDING"));
        assertRefused(SagaError.INVALID_LOCK, () -> LOCK.pending("x".repeat(201)));
    }

    @Test
    @DisplayName("B22: durations out of range are refused where they are given")
    void durations() {
        for (Duration wrong : List.of(
                Duration.ZERO,
                Duration.ofMillis(-1),
                Duration.ofNanos(1),
                Duration.ofSeconds(Long.MAX_VALUE),
                Duration.ofDays(366))) {
            assertRefused(SagaError.INVALID_DURATION, () -> LOCK.deadline(wrong));
            assertRefused(SagaError.INVALID_DURATION, () -> LOCK.waiting(wrong));
        }
        assertRefused(SagaError.NULL_ARGUMENT, () -> LOCK.deadline(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> LOCK.waiting(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> LOCK.whenLost(null));
    }

    @Test
    void nulls_and_bad_names_are_refused() {
        assertRefused(SagaError.NULL_ARGUMENT, () -> JdbcSteps.of(null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> STEPS.lock(null, Order::id));
        assertRefused(SagaError.NULL_ARGUMENT, () -> STEPS.lock(ORDERS, null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> STEPS.lockAll(ORDERS, null));
        assertRefused(SagaError.NULL_ARGUMENT, () -> STEPS.local("step", null));
        assertRefused(SagaError.INVALID_NAME, () -> STEPS.local(" ", ctx -> {}));
        assertRefused(SagaError.INVALID_NAME, () -> LOCK.claim("a b"));
        assertRefused(SagaError.INVALID_NAME, () -> LOCK.release("a b", "DONE"));
        assertRefused(SagaError.INVALID_NAME, () -> LOCK.releaseAsBefore("a b"));
        assertThatThrownBy(() -> RowId.of(1, (Object) null)).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> RowId.of(null)).isInstanceOf(SagaUsageException.class);
    }

    @Test
    void setters_make_copies_and_leave_the_original_alone() {
        RowLock<Order> original = (RowLock<Order>) LOCK.from("NEW");
        RowLock<Order> copy = (RowLock<Order>) original.pending("HELD").deadline(Duration.ofMinutes(3));

        assertThat(original).hasFieldOrPropertyWithValue("lock.statuses.pending", "PENDING");
        assertThat(copy).hasFieldOrPropertyWithValue("lock.statuses.pending", "HELD");
        assertThat(copy)
                .extracting("lock.token")
                .isEqualTo(token(original))
                .isNotEqualTo(token(STEPS.lock(ORDERS, Order::id)));
    }

    private static Object token(SemanticLock<Order> lock) {
        return assertThat(lock).extracting("lock.token").actual();
    }

    @Test
    void composite_ids_are_row_ids_and_nothing_else() {
        TableSpec lines = TableSpec.of("lines").idColumns("tenant", "no");

        assertThat(RowIds.of(lines, List.of(RowId.of(1, 2L), RowId.of("1", "2"))))
                .containsExactly(List.of("1", "2"));
        assertThatThrownBy(() -> RowIds.of(lines, List.of(1L))).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> RowIds.of(lines, List.of(List.of(1, 2)))).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> RowIds.of(TableSpec.of("orders"), List.of(RowId.of(1, 2))))
                .isInstanceOf(SagaUsageException.class);
    }

    @Test
    void ids_that_are_none_are_refused() {
        TableSpec orders = TableSpec.of("orders");
        for (Object wrong : new Object[] {null, new Order(1, null), 1.5, List.of(1), "nul\u0000"}) {
            assertThatThrownBy(() -> RowIds.of(orders, Collections.singletonList(wrong)))
                    .isInstanceOfSatisfying(
                            SagaUsageException.class, e -> assertThat(e.error()).isEqualTo(SagaError.ROW_ID_INVALID));
        }
        assertThatThrownBy(() -> RowIds.of(orders, null)).isInstanceOf(SagaUsageException.class);
        assertThatThrownBy(() -> RowIds.of(orders, Collections.nCopies(1001, 1)))
                .isInstanceOf(SagaUsageException.class);
    }
}
