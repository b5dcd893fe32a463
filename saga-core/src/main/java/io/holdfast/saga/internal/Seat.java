package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaStoreException;
import io.holdfast.saga.spi.Change;
import io.holdfast.saga.spi.Guard;
import io.holdfast.saga.spi.LocalAttempt;
import io.holdfast.saga.spi.Moved;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.SagaStore.Applied;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One saga as this node drives it: its row and progress as last seen, its lease, and the way every change of it takes. Used by one
 * thread at a time; the heartbeat reads it from another.
 */
final class Seat<D> {
    private final Node node;
    private final Definition<D> definition;
    private final LeaseClock lease;
    private volatile StoredSaga saga;
    private volatile Progress progress = Progress.NONE;
    private long readNanos;
    private long logSeq = 1;
    private @Nullable String fresh;

    Seat(Node node, Definition<D> definition, StoredSaga saga, LeaseClock.Reading beforeTheClaim) {
        this.node = node;
        this.definition = definition;
        this.saga = saga;
        this.lease = new LeaseClock(node.waiting(), node.lease(), beforeTheClaim);
        this.readNanos = node.waiting().nanos();
    }

    Definition<D> definition() {
        return definition;
    }

    StoredSaga saga() {
        return saga;
    }

    Progress progress() {
        return progress;
    }

    LeaseClock lease() {
        return lease;
    }

    /** The step that this node made current and whose action was surely not begun since; null for none. */
    @Nullable
    String fresh() {
        return fresh;
    }

    /** Nobody ever drove it before. */
    void beginFresh() {
        fresh = saga.step();
    }

    /** From here on the current step's action may have an effect. */
    void begun() {
        fresh = null;
    }

    /** The store's clock, as far as this node can tell. */
    Instant now() {
        return saga.readAt().plusNanos(node.waiting().nanos() - readNanos);
    }

    /** How long the step has been current. */
    Duration sinceStep() {
        Duration since = Duration.between(saga.position().stepAt(), now());
        return since.isNegative() ? Duration.ZERO : since;
    }

    /** Reads the journal; of a saga that others drove before. */
    List<StoredEntry> readJournal() {
        List<StoredEntry> journal = patiently(() -> node.store().journal(saga.sagaId()));
        progress = Progress.of(journal);
        logSeq = journal.isEmpty() ? 0 : journal.get(journal.size() - 1).seq();
        return journal;
    }

    /** Makes sure that enough of the lease is left to begin a step. */
    void ensureLease() {
        if (lease.mayBegin()) {
            return;
        }
        renewLease(node.lease());
    }

    /**
     * Makes sure that the lease is not renewed for so long: a transaction above READ COMMITTED cannot change a row that a renewal has
     * changed since it began.
     */
    void ensureLeaseFor(Duration atMost) {
        if (lease.isDueForRenewalIn(atMost)) {
            renewLease(node.lease().plus(atMost));
        }
    }

    private void renewLease(Duration length) {
        LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
        try (var keeper = node.store().leaseKeeper()) {
            Map<?, SagaState> renewed = keeper.renew(Map.of(saga.sagaId(), saga.runSeq()), length);
            if (!renewed.containsKey(saga.sagaId())) {
                throw lost("its lease was over");
            }
        }
        lease.renewed(before.plus(length.minus(node.lease())));
    }

    /**
     * Applies a change that is computed anew whenever the saga turns out to stand elsewhere, as when another node turned it back;
     * null then means that nothing is left to write. Ends the drive when the lease is lost.
     */
    void write(Supplier<@Nullable Change> change) {
        for (int tries = 0; tries < 5; tries++) {
            Change wanted = change.get();
            if (wanted == null) {
                return;
            }
            Guard guard = saga.guard();
            long before = logSeq;
            try {
                Optional<Moved> moved = patiently(() -> node.store().move(guard, node.owner(), wanted));
                if (moved.isPresent()) {
                    applied(wanted, moved.get());
                    return;
                }
                look();
            } catch (SagaStoreException doubt) {
                if (hasLanded(wanted, before, settle(doubt))) {
                    return;
                }
            }
        }
        throw lost("it could not be moved on, though nobody else drives it");
    }

    /**
     * Runs a local step. Its thread goes on only if {@code end} says that the attempt was not given up meanwhile. When the guard
     * matched nothing, because the saga was turned back, nothing of the work was kept.
     */
    void writeWith(LocalAttempt work, BooleanSupplier end) throws Exception {
        try {
            Optional<Applied> applied = node.store().moveWith(saga.guard(), node.owner(), work);
            requireTrue(end);
            if (applied.isPresent()) {
                applied(applied.get().change(), applied.get().moved());
            } else {
                look();
            }
        } catch (SagaStoreException doubt) {
            requireTrue(end);
            settle(doubt);
        }
    }

    private static void requireTrue(BooleanSupplier end) {
        if (!end.getAsBoolean()) {
            throw new DriveEnded(DriveEnded.Why.GIVEN_UP, "the attempt was given up");
        }
    }

    private static boolean hasLanded(Change wanted, long before, List<StoredEntry> journal) {
        if (wanted.entries().isEmpty()) {
            return false;
        }
        NewEntry first = wanted.entries().get(0);
        return journal.stream()
                .filter(entry -> entry.seq() > before)
                .anyMatch(entry -> entry.kind() == first.kind()
                        && Objects.equals(entry.entry().step(), first.step()));
    }

    private void applied(Change change, Moved moved) {
        StoredSaga before = saga;
        saga = After.of(before, change, moved);
        readNanos = node.waiting().nanos();
        if (change.progress().counters() == Change.Counters.NEW_STEP) {
            fresh = change.state() == SagaState.RUNNING && !before.step().equals(saga.step()) ? saga.step() : null;
        }
        List<StoredEntry> entries = numbered(change, moved, before.runSeq());
        logSeq = moved.logSeq();
        progress = progress.and(entries);
        entries.forEach(entry -> node.announcements().entry(saga, entry));
        if (change.tenure() instanceof Change.Ended) {
            node.announcements().ended(saga.sagaId());
        }
    }

    private List<StoredEntry> numbered(Change change, Moved moved, long runSeq) {
        List<StoredEntry> entries = new ArrayList<>();
        long seq = moved.logSeq() - change.entries().size();
        for (NewEntry entry : change.entries()) {
            entries.add(new StoredEntry(++seq, moved.at(), runSeq, node.owner(), entry));
        }
        return entries;
    }

    /** After a guard that matched nothing: turned back meanwhile, moved on by a thread that was given up, or lost. */
    void look() {
        StoredSaga read = patiently(() -> node.store().load(saga.sagaId())).orElseThrow(() -> lost("it is gone"));
        boolean mine = read.runSeq() == saga.runSeq()
                && Objects.equals(read.lease().owner(), node.owner())
                && !read.state().isFinal();
        if (!mine) {
            throw lost("another node took it over: it is at run " + read.runSeq());
        }
        take(read);
    }

    /** A lost answer: first raise run_seq, which waits for the old transaction or fences it, and only then read. */
    private List<StoredEntry> settle(SagaStoreException doubt) {
        if (doubt.error() != SagaError.OUTCOME_UNKNOWN) {
            throw doubt;
        }
        Optional<StoredSaga> raised = patiently(() -> node.store().fence(saga.sagaId(), node.owner(), saga.runSeq()));
        return raised.isPresent() ? take(raised.get()) : takeLast();
    }

    /** Nothing to raise, but still this node's number: its own commit landed, by which the saga ended or was parked. */
    private List<StoredEntry> takeLast() {
        StoredSaga read = patiently(() -> node.store().load(saga.sagaId())).orElseThrow(() -> lost("it is gone"));
        if (read.runSeq() != saga.runSeq()) {
            throw lost("it was moved on while the answer to a commit was lost");
        }
        List<StoredEntry> journal = take(read);
        if (read.dueAt().isEmpty()) {
            node.announcements().ended(read.sagaId());
        }
        return journal;
    }

    private List<StoredEntry> take(StoredSaga read) {
        boolean elsewhere = !read.step().equals(saga.step());
        saga = read;
        readNanos = node.waiting().nanos();
        if (elsewhere) {
            fresh = null;
        }
        long known = logSeq;
        List<StoredEntry> journal = readJournal();
        // written by this node, but not by this seat's own answer: a cancel, or a commit whose answer was lost
        journal.stream()
                .filter(entry -> entry.seq() > known && entry.node().equals(node.owner()) && entry.kind() != Kind.LATE)
                .forEach(entry -> node.announcements().entry(saga, entry));
        return journal;
    }

    /** Repeats what surely changed nothing, for as long as the lease lasts. */
    <T> T patiently(Supplier<T> call) {
        for (int tries = 0; ; tries++) {
            try {
                return call.get();
            } catch (SagaStoreException e) {
                if (e.error() != SagaError.STORE_UNAVAILABLE || lease.left().isNegative()) {
                    throw e;
                }
                pause(Duration.ofMillis(Math.min(50L << Math.min(tries, 6), 2000)));
            }
        }
    }

    private static void pause(Duration delay) {
        try {
            TimeUnit.NANOSECONDS.sleep(delay.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new DriveEnded(DriveEnded.Why.LOST, "interrupted while the database could not be reached");
        }
    }

    DriveEnded lost(String why) {
        return new DriveEnded(DriveEnded.Why.LOST, why);
    }
}
