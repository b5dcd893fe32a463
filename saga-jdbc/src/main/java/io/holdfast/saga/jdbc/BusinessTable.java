package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import java.util.List;
import org.jooq.Condition;
import org.jooq.Table;

/**
 * How a business table names the columns that sagas use; one constant per table, shared by all sagas. Immutable and threadsafe;
 * not for implementation by users. Names are used exactly as they are written here: quoted, case kept, never looked up along
 * the {@code search_path}. They are checked against the database when a definition that uses the table is registered: the table
 * is a table and has the columns, in types the library supports, and a unique key over the id columns.
 *
 * <p>Supported are ids of type smallint, int, bigint, uuid, text and varchar (and several of them together); a status of type
 * text, varchar or enum; a holder of type uuid, text or varchar; a deadline of type timestamptz. Domains over these are as good.
 */
public interface BusinessTable {
    /**
     * A table with the columns id, status, saga_id, locked_until and version.
     *
     * @param qualifiedName schema and table as two strings; a table alone stands in schema {@code public}
     * @return its description
     * @throws SagaDefinitionException when there are not one or two names, or one is null, blank, longer than 63 bytes or not
     *     storable (SAGA-120)
     */
    static BusinessTable of(String... qualifiedName) {
        return TableSpec.of(qualifiedName);
    }

    /**
     * As {@link #of(String...)}, of a table known to jOOQ; only its name is used.
     *
     * @param table never null; without a schema it stands in {@code public}
     * @return its description
     * @throws SagaDefinitionException as {@link #of(String...)}
     */
    static BusinessTable of(Table<?> table) {
        return TableSpec.of(Checks.notNull("table", table).getQualifiedName().getName());
    }

    /**
     * With another id column. Default: {@code id}.
     *
     * @param name one column that identifies a row
     * @return a new description
     * @throws SagaDefinitionException when the name is not valid or names another of the columns (SAGA-120)
     */
    BusinessTable idColumn(String name);

    /**
     * With a key of several columns; ids are then given as {@link RowId}, in this order.
     *
     * @param names at least one, at most 8, without duplicates
     * @return a new description
     * @throws SagaDefinitionException as {@link #idColumn}
     */
    BusinessTable idColumns(String... names);

    /**
     * With another status column. Default: {@code status}.
     *
     * @param name the column that says how far the row's business is
     * @return a new description
     * @throws SagaDefinitionException as {@link #idColumn}
     */
    BusinessTable statusColumn(String name);

    /**
     * With another holder column. Default: {@code saga_id}.
     *
     * @param name the column with the id of the saga that holds the row; null there means: free
     * @return a new description
     * @throws SagaDefinitionException as {@link #idColumn}
     */
    BusinessTable holderColumn(String name);

    /**
     * With another deadline column. Default: {@code locked_until}.
     *
     * @param name the column that says until when the row is held
     * @return a new description
     * @throws SagaDefinitionException as {@link #idColumn}
     */
    BusinessTable deadlineColumn(String name);

    /**
     * With another version column. Default: {@code version}; a table that no versioned edit uses needs none.
     *
     * @param name the column that counts the row's changes
     * @return a new description
     * @throws SagaDefinitionException as {@link #idColumn}
     */
    BusinessTable versionColumn(String name);

    /**
     * The statements that give an existing table what a lock needs: the columns for holder and deadline, with comments and advice
     * about indexes. To be reviewed and put into a migration; the library never runs it.
     *
     * @return plain SQL, several statements
     */
    String ddl();

    /**
     * For readers: rows that no saga holds. A lock's own {@link io.holdfast.saga.jdbc.lock.SemanticLock#settled()} looks at its pending
     * status too. For a query of your own on the table under its own name.
     *
     * @return never null; the column is qualified with schema and table
     */
    Condition settled();

    /**
     * Schema and table.
     *
     * @return two names, as given
     */
    List<String> qualifiedName();
}
