package io.holdfast.saga.jdbc.internal;

import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.audit.SagaQuery;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What is asked for: a null excludes nothing. */
public record AuditQuery(
        @Nullable String type,
        Set<SagaState> states,
        @Nullable Duration unchanged,
        int rows,
        @Nullable Place from) implements SagaQuery {
    /** Everything. */
    public static final AuditQuery ALL = new AuditQuery(null, EnumSet.allOf(SagaState.class), null, 100, null);

    /** A place in the order of age. */
    public record Place(Instant createdAt, UUID sagaId) {}

    @Override
    public SagaQuery type(String name) {
        return new AuditQuery(Checks.name("type", name), states, unchanged, rows, from);
    }

    @Override
    public SagaQuery state(SagaState... wanted) {
        Checks.notNull("states", wanted);
        Checks.limit("number of states", wanted.length, 1, Integer.MAX_VALUE);
        Set<SagaState> set = EnumSet.noneOf(SagaState.class);
        for (SagaState state : wanted) {
            set.add(Checks.notNull("state", state));
        }
        return new AuditQuery(type, set, unchanged, rows, from);
    }

    @Override
    public SagaQuery unchangedFor(Duration time) {
        Checks.duration("unchangedFor", time, Duration.ZERO, Duration.ofDays(10_000));
        return new AuditQuery(type, states, time, rows, from);
    }

    @Override
    public SagaQuery limit(int most) {
        return new AuditQuery(type, states, unchanged, Checks.limit("limit", most, 1, 1000), from);
    }

    @Override
    public SagaQuery after(SagaSnapshot last) {
        Checks.notNull("last saga", last);
        return new AuditQuery(type, states, unchanged, rows, new Place(last.createdAt(), last.sagaId()));
    }
}
