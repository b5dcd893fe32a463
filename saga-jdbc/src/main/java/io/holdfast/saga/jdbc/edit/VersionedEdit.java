package io.holdfast.saga.jdbc.edit;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.SagaDefinitionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Overwrites columns of a row that nobody changed since it was read: where its version is still the one that was read. Undoing writes the
 * former values, but only while the version is the edit's own: a newer change of somebody else is never overwritten. Made by
 * {@link io.holdfast.saga.jdbc.JdbcSteps#edit}. Immutable and threadsafe.
 *
 * <p>An integer version is raised by one; a timestamptz becomes the database's clock, at least one microsecond later than it was. Everybody
 * else who changes the row must raise the version too. An edit does not look at
 * {@linkplain io.holdfast.saga.jdbc.lock.SemanticLock semantic locks}, and a claim does not raise the version: where other sagas lock the row,
 * claim it before editing it.
 *
 * @param <D> the class of the steps' data
 */
public interface VersionedEdit<D> {
    /**
     * Sets a column, besides those that are set already.
     *
     * @param column its name, none of the key's and not the version's
     * @param value finds the new value: a String, Number, Boolean, UUID, enum (its name), Instant, OffsetDateTime, LocalDate or LocalDateTime,
     *     whatever the column takes in such a form; null for SQL's null. Called in the transaction, with the row locked
     * @return a new edit
     * @throws SagaDefinitionException when the name is not valid (SAGA-120), or the column is set twice, or is the version or part of the key
     *     (SAGA-127), or the value is null (SAGA-106)
     */
    VersionedEdit<D> set(String column, Function<? super EditContext<D>, ? extends @Nullable Object> value);

    /**
     * What happens when the row has another version than the one read. Default: {@link WhenChanged#FAIL}.
     *
     * @param policy never null
     * @return a new edit
     * @throws SagaDefinitionException when null (SAGA-106)
     */
    VersionedEdit<D> whenChanged(WhenChanged policy);

    /**
     * Edits the row. Fails without a retry, so that the saga turns back: with {@link EditConflictException} (SAGA-409) when the row has
     * changed since it was read; with {@link io.holdfast.saga.RowUnavailableException} when it is missing; with
     * {@link io.holdfast.saga.jdbc.ValueRefusedException} (SAGA-412) when the database refuses a value. An undo that finds another version than
     * the edit's own, or no row, leaves the saga stuck.
     *
     * @param step the step's persisted name
     * @return the step
     * @throws SagaDefinitionException when the name is not valid (SAGA-101) or no column is set (SAGA-127)
     */
    CompensatableStep<D> apply(String step);
}
