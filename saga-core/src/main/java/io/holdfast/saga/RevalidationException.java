package io.holdfast.saga;

import java.io.Serial;
import java.util.List;

/**
 * What the saga had read is not so any more, as the transaction that begins (or passes) the pivot found; or it could not be read again
 * under a lock. The pivot was not begun, and the saga turns back.
 */
public final class RevalidationException extends RejectionException {
    @Serial
    private static final long serialVersionUID = 1L;

    /** What differs; serialised with the exception. */
    private final List<String> differences;

    /**
     * For the library's own use.
     *
     * @param error what is the case, never null
     * @param message the text after the code, never null
     * @param differences what differs, never null
     */
    public RevalidationException(SagaError error, String message, List<String> differences) {
        super(error, message, null);
        this.differences = List.copyOf(differences);
    }

    /**
     * What differs: the place in the result, what was read and what is there now.
     *
     * @return never null, empty when it could not be read again
     */
    public List<String> differences() {
        return differences;
    }
}
