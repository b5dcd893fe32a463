package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.BusinessTable;
import io.holdfast.saga.jdbc.internal.SagaTables;
import io.holdfast.saga.jdbc.internal.table.NumberColumn;
import io.holdfast.saga.jdbc.internal.table.OneRow;
import io.holdfast.saga.jdbc.internal.table.TableSpec;
import io.holdfast.saga.jdbc.internal.table.Untyped;
import io.holdfast.saga.jdbc.internal.table.ViewDdl;
import io.holdfast.saga.jdbc.reservation.Reservations;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;

/** What is available, as of one statement. */
public final class AvailabilityReads implements Reservations {
    private final SagaTables tables;
    private final Reading reading;

    /** Runs a read on a connection. */
    @FunctionalInterface
    public interface Reading {
        /** Runs it. */
        <T> T read(Function<DSLContext, T> select);
    }

    /** Reads of reservations in one schema. */
    public AvailabilityReads(SagaTables tables, Reading reading) {
        this.tables = tables;
        this.reading = reading;
    }

    @Override
    public Optional<Long> available(BusinessTable table, String capacityColumn, Object id) {
        Checks.argument("id", id);
        NumberColumn column = column(table, capacityColumn);
        OneRow row = OneRow.of(column.spec(), id);
        Field<Long> available = available(row.keys(), row.column(column.name()), column.spec());
        return reading.read(
                dsl -> dsl.select(available).from(row.table()).where(row.here()).fetchOptional(available));
    }

    @Override
    public Field<Long> availableUnits(BusinessTable table, String capacityColumn) {
        NumberColumn column = column(table, capacityColumn);
        TableSpec spec = column.spec();
        List<Field<String>> keys =
                spec.ids().stream().map(id -> qualified(spec, id)).toList();
        return available(keys, qualified(spec, column.name()), spec);
    }

    @Override
    public String availabilityView(BusinessTable table, String capacityColumn, String... view) {
        Checks.argument("view", view);
        Field<Long> available = availableUnits(table, capacityColumn);
        String expression = DSL.using(SQLDialect.POSTGRES).renderInlined(available);
        TableSpec spec = TableSpec.of(table);
        return ViewDdl.of(TableSpec.of(view), spec, List.of(expression + " AS available"), null);
    }

    private static NumberColumn column(BusinessTable table, String name) {
        return new NumberColumn(
                "capacity", TableSpec.of(Checks.argument("table", table)), Checks.argument("capacity column", name));
    }

    private static Field<String> qualified(TableSpec spec, String column) {
        return DSL.field(spec.name().append(column), Untyped.TYPE);
    }

    private Field<Long> available(List<Field<String>> keys, Field<String> capacity, TableSpec spec) {
        return DSL.field(
                "cast(floor({0} - coalesce((select sum(r.quantity) from {1} r where r.table_name = {2} and r.resource_id = {3}"
                        + " and r.state in ('HELD', 'FIRM') and (r.state = 'FIRM' or r.expires_at > clock_timestamp())), 0))"
                        + " as bigint)",
                SQLDataType.BIGINT, capacity, tables.reservation(), DSL.val(spec.quoted()), Capacity.resourceId(keys));
    }
}
