package io.holdfast.saga.internal;

import io.holdfast.saga.ConcurrentSagaException;
import io.holdfast.saga.PayloadException;
import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.StepSpec.Policies;
import org.jspecify.annotations.Nullable;

/** What an attempt came to. */
sealed interface Outcome {
    /** The action or undo was done; with its result, JSON, or null, and what the journal should say besides, or null. */
    record Done(@Nullable String result, @Nullable String note) implements Outcome {}

    /** Surely not done, and asking again will not help. */
    record Rejected(Throwable cause) implements Outcome {}

    /** Anything else: of an external step it may have had an effect. */
    record Failed(Throwable cause, Cure cure) implements Outcome {}

    /** The rows are held by another saga; not an attempt. */
    record Busy(ConcurrentSagaException cause) implements Outcome {}

    /** The shutdown interrupted it: counts as no attempt. */
    record Stopped() implements Outcome {}

    /** What may help against a failure. */
    enum Cure {
        /** Trying again. */
        RETRY,
        /** Nothing: what the step returned cannot be stored. */
        NONE,
        /** Another build or a person: what is stored cannot be read, so neither action nor undo can be run. */
        OTHER_CODE
    }

    /** Tells failures apart by their class alone. */
    static Outcome of(Throwable failure, Policies policies) {
        if (failure instanceof ConcurrentSagaException busy) {
            return busy.advice() == ConcurrentSagaException.Advice.FAIL ? new Rejected(busy) : new Busy(busy);
        }
        if (isRejection(failure, policies)) {
            return new Rejected(failure);
        }
        return new Failed(failure, cure(failure));
    }

    private static boolean isRejection(Throwable failure, Policies policies) {
        return failure instanceof RejectionException
                || policies.rejectedOn().stream().anyMatch(type -> type.isInstance(failure));
    }

    private static Cure cure(Throwable failure) {
        if (!(failure instanceof PayloadException payload)) {
            return Cure.RETRY;
        }
        return payload.error() == SagaError.PAYLOAD_UNREADABLE ? Cure.OTHER_CODE : Cure.NONE;
    }
}
