package io.holdfast.saga.jdbc.internal.lock;

import io.holdfast.saga.internal.Hold;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.table.Registrable;
import io.holdfast.saga.spi.Holding;
import io.holdfast.saga.spi.StoreTransaction;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jooq.DSLContext;

/** The rows of one lock, as the engine knows them. */
public final class LockResource implements Hold, Registrable {
    private final LockSpec lock;

    LockResource(LockSpec lock) {
        this.lock = lock;
    }

    @Override
    public void register(DSLContext dsl) {
        Set<String> statuses = new LinkedHashSet<>(lock.statuses().from());
        statuses.add(lock.statuses().pending());
        statuses.addAll(lock.token().released());
        if (lock.statuses().orphan() != null) {
            statuses.add(lock.statuses().orphan());
        }
        LockableTable.check(dsl, lock.table(), statuses);
    }

    @Override
    public Object token() {
        return lock.token();
    }

    @Override
    public String table() {
        return lock.table().quoted();
    }

    @Override
    public boolean mayBeTakenOver() {
        return lock.takeOver();
    }

    @Override
    public void assertHeld(StoreTransaction transaction, Holding holding) {
        LockReceipt receipt = LockReceipt.read(holding.receipt());
        rows(transaction, receipt, holding).assertHeld(receipt);
    }

    @Override
    public void extend(StoreTransaction transaction, Holding holding, Duration atLeast) {
        LockReceipt receipt = LockReceipt.read(holding.receipt());
        rows(transaction, receipt, holding).extend(receipt, atLeast);
    }

    private static HeldRows rows(StoreTransaction transaction, LockReceipt receipt, Holding holding) {
        return new HeldRows(((JdbcTransaction) transaction).dsl(), receipt.table(), holding.sagaId());
    }
}
