package io.holdfast.saga.jdbc.internal.lock;

import static io.holdfast.saga.RowUnavailableException.Reason.MARK_REFUSED;
import static io.holdfast.saga.RowUnavailableException.Reason.MISSING;
import static io.holdfast.saga.RowUnavailableException.Reason.WRONG_STATUS;

import io.holdfast.saga.RowUnavailableException;
import io.holdfast.saga.RowUnavailableException.Reason;
import io.holdfast.saga.internal.Texts;
import io.holdfast.saga.jdbc.internal.JdbcTransaction;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.How;
import io.holdfast.saga.jdbc.internal.lock.LockReceipt.Row;
import io.holdfast.saga.jdbc.internal.table.RowErrors;
import io.holdfast.saga.jdbc.internal.table.RowIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One claim: takes all rows, or throws, and then its transaction must be rolled back.
 *
 * <ol>
 *   <li>One statement locks the rows in the order of their keys and marks those that are free, or the saga's own.
 *   <li>A row that is not there, has another status, or did not take the mark ends the claim.
 *   <li>A row held by another saga is judged by its deadline and its holder ({@link HeldRow}): it is taken over, or busy.
 *   <li>A row that was the saga's own already is re-entered, if the saga's journal knows of it. Otherwise it was left by a former
 *       life of the saga (its rows were purged, or restored from a backup) and is adopted like that of an unknown holder.
 * </ol>
 */
final class RowClaim {
    private final ClaimSql sql;
    private final HolderSql holders;
    private final HeldRow held;
    private final LockSpec lock;
    private final LockRequest request;

    private RowClaim(JdbcTransaction transaction, LockSpec lock, LockRequest request) {
        this.sql = new ClaimSql(transaction.dsl(), lock, request.claimer().sagaId());
        this.holders = new HolderSql(transaction.dsl(), transaction.tables());
        this.held = new HeldRow(transaction, lock, request);
        this.lock = lock;
        this.request = request;
    }

    /** Takes the rows. */
    static LockReceipt take(JdbcTransaction transaction, LockSpec lock, LockRequest request) {
        return RowErrors.explained(lock.table(), () -> new RowClaim(transaction, lock, request).take());
    }

    private LockReceipt take() {
        List<SeenRow> seen = sql.claim(request.ids(), request.lockFor());
        requireAllThere(seen);
        seen.forEach(this::requireClaimable);
        List<Row> rows = new ArrayList<>();
        for (SeenRow row : seen) {
            rows.add(taken(row));
        }
        if (seen.stream().anyMatch(row -> row.fate().watched())) {
            requireStillMarked(rows);
        }
        return new LockReceipt(lock.table(), lock.statuses().pending(), request.lockFor(), rows);
    }

    /** Ids that are spelled otherwise than the database does are looked up one by one; two may mean the same row. */
    private void requireAllThere(List<SeenRow> seen) {
        if (seen.size() == request.ids().size()) {
            return;
        }
        List<List<String>> found = seen.stream().map(SeenRow::id).toList();
        for (List<String> id : request.ids()) {
            if (!found.contains(id) && !sql.exists(id)) {
                throw refused(MISSING, id, "is not there");
            }
        }
    }

    private void requireClaimable(SeenRow row) {
        if (row.fate().takeable() && !row.fate().marked()) {
            throw refused(
                    MARK_REFUSED,
                    row.id(),
                    "was free and did not take the mark: a trigger or rule of the table undoes or changes it");
        }
        if (!row.fate().takeable() && row.holder() == null) {
            throw wrongStatus(row);
        }
    }

    private Row taken(SeenRow row) {
        if (row.holder() == null) {
            return new Row(row.id(), row.former(), How.ACQUIRED);
        }
        UUID holder = holder(row, row.holder());
        if (holder.equals(request.claimer().sagaId())) {
            return mine(row);
        }
        held.requireFree(row, holder);
        String former = former(row, holders.acquired(holder, lock.table(), row.id()));
        if (!sql.takeFrom(row, request.lockFor())) {
            throw refused(MARK_REFUSED, row.id(), "did not take the mark when it was taken over from saga " + holder);
        }
        return new Row(row.id(), former, How.ACQUIRED);
    }

    private UUID holder(SeenRow row, String text) {
        try {
            return UUID.fromString(text);
        } catch (IllegalArgumentException e) {
            throw refused(MARK_REFUSED, row.id(), "is held by \"" + Texts.printable(text) + "\", which is no saga");
        }
    }

    private Row mine(SeenRow row) {
        return holders.acquired(request.claimer().sagaId(), lock.table(), row.id())
                        .isPresent()
                ? new Row(row.id(), null, How.RE_ENTERED)
                : new Row(row.id(), former(row, Optional.empty()), How.ACQUIRED);
    }

    /** The pending status is never a former one: it would be restored for ever. */
    private @Nullable String former(SeenRow row, Optional<Row> journalled) {
        if (journalled.isPresent() && lock.statuses().allow(journalled.get().former())) {
            return journalled.get().former();
        }
        String guess = lock.statuses().only() != null
                ? lock.statuses().only()
                : lock.statuses().orphan();
        if (guess == null || isKnownOtherwise(journalled)) {
            throw wrongStatus(row);
        }
        return guess;
    }

    private boolean isKnownOtherwise(Optional<Row> journalled) {
        return journalled.isPresent()
                && !lock.statuses().pending().equals(journalled.get().former());
    }

    private void requireStillMarked(List<Row> rows) {
        List<List<String>> ids = rows.stream().map(Row::id).toList();
        if (sql.stillMarked(ids) != ids.size()) {
            throw refused(
                    MARK_REFUSED,
                    ids.get(0),
                    (ids.size() > 1 ? "(or another of these " + ids.size() + " rows) " : "")
                            + "lost the mark at once: a trigger changes or deletes the row after the update");
        }
    }

    private RowUnavailableException wrongStatus(SeenRow row) {
        String status = row.former() == null ? "no status" : "status \"" + Texts.printable(row.former()) + "\"";
        String from = lock.statuses().from().isEmpty()
                ? "any but " + lock.statuses().pending()
                : String.join(", ", lock.statuses().from());
        String whose = row.holder() == null
                ? ""
                : " and belonged to saga " + row.holder() + ", which is gone; what it had before is not known to be one"
                        + " of these (see orphanedAs)";
        return refused(WRONG_STATUS, row.id(), "has " + status + whose + "; this lock takes " + from);
    }

    private RowUnavailableException refused(Reason reason, List<String> id, String why) {
        return new RowUnavailableException(
                reason, RowIds.print(lock.table(), id) + " " + why + "; nothing was claimed");
    }
}
