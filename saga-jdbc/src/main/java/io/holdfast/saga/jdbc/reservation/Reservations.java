package io.holdfast.saga.jdbc.reservation;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.BusinessTable;
import java.util.Optional;
import org.jooq.Field;

/**
 * What readers may know of reservations. What is available can be gone the next moment: only reserving it tells. Get it from
 * {@code JdbcSagas.reservations()}. Threadsafe.
 */
public interface Reservations {
    /**
     * How many units of a resource could be reserved now.
     *
     * @param table where it is
     * @param capacityColumn the column with the number of units that are not settled yet
     * @param id its id, as for {@code JdbcSteps.lock}
     * @return empty when there is no such row, or its capacity is null; negative where the capacity was cut below what is reserved
     * @throws SagaUsageException when an argument is null, or the id does not fit the key (SAGA-406)
     * @throws SagaDefinitionException when the column's name is not valid (SAGA-120)
     * @throws SagaStoreException when the database cannot be asked (SAGA-601)
     */
    Optional<Long> available(BusinessTable table, String capacityColumn, Object id);

    /**
     * The same as an expression for queries of your own, from the table under its own name (no alias). A subquery per row, which reads
     * open reservations only.
     *
     * @param table whose rows are selected
     * @param capacityColumn the column with the number of units that are not settled yet
     * @return never null; its value is null where the capacity is
     * @throws SagaUsageException when an argument is null
     * @throws SagaDefinitionException when the column's name is not valid (SAGA-120)
     */
    Field<Long> availableUnits(BusinessTable table, String capacityColumn);

    /**
     * A view of the table's rows with one more column, {@code available}. To be reviewed and put into a migration; the library never runs it.
     *
     * @param table whose rows it shows
     * @param capacityColumn the column with the number of units that are not settled yet
     * @param view its schema and name, or its name alone for one in schema {@code public}
     * @return plain SQL
     * @throws SagaUsageException when an argument is null
     * @throws SagaDefinitionException when a name is not valid (SAGA-120)
     */
    String availabilityView(BusinessTable table, String capacityColumn, String... view);
}
