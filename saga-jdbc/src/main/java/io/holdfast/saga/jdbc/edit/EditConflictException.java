package io.holdfast.saga.jdbc.edit;

import io.holdfast.saga.RejectionException;
import io.holdfast.saga.SagaError;
import java.io.Serial;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Somebody changed the row: it has not the version that the saga read, or, in an undo, not the one that its edit gave it. Nothing was
 * changed. The step fails without a retry; an undo leaves the saga stuck.
 */
public final class EditConflictException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** As the database prints it; serialised with the exception. */
    private final @Nullable String expected;

    /** As the database prints it; serialised with the exception. */
    private final @Nullable String found;

    /**
     * For the library's own use.
     *
     * @param message the row and what follows, never null
     * @param expected the version it should have had, or null
     * @param found the version it has, or null
     */
    public EditConflictException(String message, @Nullable String expected, @Nullable String found) {
        super(SagaError.EDIT_CONFLICT, message, null);
        this.expected = expected;
        this.found = found;
    }

    /**
     * The version that the row should have had.
     *
     * @return empty for SQL's null
     */
    public Optional<String> expected() {
        return Optional.ofNullable(expected);
    }

    /**
     * The version that it has.
     *
     * @return as the database prints it, empty for SQL's null
     */
    public Optional<String> found() {
        return Optional.ofNullable(found);
    }
}
