package io.holdfast.saga;

import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.Assertions;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** What a refused call must look like: its own exception type, its code in the message. */
public final class Refusals {
    private Refusals() {}

    /** A definition, type, step or setting that is refused where it is given. */
    public static AbstractThrowableAssert<?, ?> assertRefused(SagaError error, ThrowingCallable call) {
        return assertCoded(SagaDefinitionException.class, error, call);
    }

    /** A call that cannot be answered. */
    public static AbstractThrowableAssert<?, ?> assertMisuse(SagaError error, ThrowingCallable call) {
        return assertCoded(SagaUsageException.class, error, call);
    }

    /** Any exception of the library. */
    public static AbstractThrowableAssert<?, ?> assertCoded(
            Class<? extends SagaException> type, SagaError error, ThrowingCallable call) {
        SagaException thrown = catchThrowableOfType(type, call);
        Assertions.assertThat(thrown).as("a refusal with " + error).isNotNull();
        Assertions.assertThat(thrown.error()).isEqualTo(error);
        Assertions.assertThat(thrown.code()).isEqualTo(error.code());
        return Assertions.assertThat(thrown).hasMessageStartingWith(error.code() + ": ");
    }
}
