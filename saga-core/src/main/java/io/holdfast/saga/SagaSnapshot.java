package io.holdfast.saga;

import java.time.Instant;
import java.util.Optional;
import java.util.UUID;

/** A saga's row as read at one moment. Immutable. Times are the database's. */
public interface SagaSnapshot {
    /** {@return the saga's id} */
    UUID sagaId();

    /** {@return the name of its type} */
    String typeName();

    /** {@return the version of its type} */
    int typeVersion();

    /** {@return the key it was started with} */
    String businessKey();

    /** {@return where it stands} */
    SagaState state();

    /** {@return which way it goes; kept while stuck} */
    Direction direction();

    /** {@return how far the point of no return is} */
    Pivot pivot();

    /** {@return the name of the current (or last) step} */
    String step();

    /** {@return recorded outcomes of the current step that were not "done"} */
    int attempts();

    /** {@return leases of this saga that expired since its last recorded outcome} */
    int takeovers();

    /** {@return the fencing number of its driver} */
    long runSeq();

    /** {@return the node that drives it; empty when nobody does} */
    Optional<String> owner();

    /** {@return when it was started} */
    Instant createdAt();

    /** {@return the end of the lease, or the wake-up time; empty when finished or stuck} */
    Optional<Instant> dueAt();

    /** {@return when it turns back by itself, unless its pivot has begun} */
    Optional<Instant> deadlineAt();

    /** {@return the last recorded error} */
    Optional<String> lastError();
}
