package io.holdfast.saga.jdbc.audit;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.jdbc.internal.AuditQuery;
import java.time.Duration;

/**
 * Which sagas to list: all that were not excluded, by age, at most 100. Immutable; each method returns a copy that asks for less.
 *
 * <p>To read page after page, ask again {@link #after} the last saga of the page before. Sagas that start meanwhile come at the end;
 * none is listed twice, and none is left out that fits all the time.
 */
public interface SagaQuery {
    /**
     * All sagas, the first 100 of them.
     *
     * @return a query
     */
    static SagaQuery all() {
        return AuditQuery.ALL;
    }

    /**
     * Only sagas of a type, in all its versions.
     *
     * @param name the type's name
     * @return a copy
     * @throws SagaDefinitionException when it is not a valid name (SAGA-101, SAGA-106)
     */
    SagaQuery type(String name);

    /**
     * Only sagas in one of these states.
     *
     * @param states one or more
     * @return a copy; states given before are replaced
     * @throws SagaDefinitionException when there is none (SAGA-105), or one is null (SAGA-106)
     */
    SagaQuery state(SagaState... states);

    /**
     * Only sagas whose row has not changed for so long: stuck since then, parked, in a long step, or ended since then. The renewal
     * of a lease is no change.
     *
     * @param time from zero to 10,000 days, by the database's clock
     * @return a copy
     * @throws SagaDefinitionException when it is out of this range (SAGA-104, SAGA-106)
     */
    SagaQuery unchangedFor(Duration time);

    /**
     * Only so many.
     *
     * @param rows from 1 to 1,000
     * @return a copy
     * @throws SagaDefinitionException when it is out of this range (SAGA-105)
     */
    SagaQuery limit(int rows);

    /**
     * Only sagas that come after this one in the order of age. It need not exist any more, nor fit the query.
     *
     * @param last the last saga of the page before
     * @return a copy
     * @throws SagaDefinitionException when it is null (SAGA-106)
     */
    SagaQuery after(SagaSnapshot last);
}
