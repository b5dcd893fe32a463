package io.holdfast.saga;

import java.io.Serial;

/**
 * Root of all exceptions of the library. Unchecked; every one carries a {@link SagaError} whose code has a section in
 * {@code docs/errors.md}, and its message says what is the case, what the library does next and what the reader can do.
 */
public abstract class SagaException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What is the case; serialised with the exception. */
    private final SagaError error;

    /**
     * For subclasses.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param cause what it came from, or null
     */
    protected SagaException(SagaError error, String message, @org.jspecify.annotations.Nullable Throwable cause) {
        super(error.code() + ": " + message, cause);
        this.error = error;
    }

    /**
     * What is the case.
     *
     * @return never null
     */
    public SagaError error() {
        return error;
    }

    /**
     * Shorthand for {@code error().code()}.
     *
     * @return {@code SAGA-nnn}
     */
    public String code() {
        return error.code();
    }
}
