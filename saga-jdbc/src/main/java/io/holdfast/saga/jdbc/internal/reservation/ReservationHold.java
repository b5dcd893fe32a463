package io.holdfast.saga.jdbc.internal.reservation;

import io.holdfast.saga.internal.Hold;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.table.Registrable;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.util.function.Consumer;
import org.jooq.DSLContext;

/**
 * Reservations of one object, as the engine knows them. Their time to live is a promise to others: nobody renews it.
 *
 * @param token the same for all views of a reservation
 * @param table what is reserved
 * @param check looks at the database when a definition is registered
 */
public record ReservationHold(Object token, String table, Consumer<DSLContext> check) implements Hold, Registrable {
    @Override
    public void assertHeld(StoreTransaction transaction, Holding holding) {
        Reserved.read(holding.sagaId(), holding.receipt()).firm((JdbcTransaction) transaction);
    }

    @Override
    public boolean isRenewed() {
        return false;
    }

    @Override
    public void register(DSLContext dsl) {
        check.accept(dsl);
    }
}
