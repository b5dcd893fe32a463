package io.holdfast.saga;

import java.io.Serial;
import org.jspecify.annotations.Nullable;

/**
 * The database could not be reached or did not answer. With {@link SagaError#STORE_UNAVAILABLE} nothing was changed and
 * the call can be repeated; with {@link SagaError#OUTCOME_UNKNOWN} the answer to a commit was lost, and only reading
 * tells. A saga never fails because of it: it is taken up again when the database is back.
 */
public final class SagaStoreException extends SagaException {
    @Serial
    private static final long serialVersionUID = 1L;

    /**
     * For stores.
     *
     * @param error STORE_UNAVAILABLE or OUTCOME_UNKNOWN
     * @param message what was tried, never null
     * @param cause what it came from, or null
     */
    public SagaStoreException(SagaError error, String message, @Nullable Throwable cause) {
        super(error, message, cause);
    }
}
