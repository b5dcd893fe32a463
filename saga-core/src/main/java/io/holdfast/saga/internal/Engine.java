package io.holdfast.saga.internal;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaConflictException;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.Sagas;
import io.holdfast.saga.Verdict;
import io.holdfast.saga.spi.Insertion;
import io.holdfast.saga.spi.NewEntry;
import io.holdfast.saga.spi.NewSaga;
import io.holdfast.saga.spi.SagaStore;
import io.holdfast.saga.spi.SagaStore.OperatorAction;
import io.holdfast.saga.spi.StoreTransaction;
import io.holdfast.saga.spi.StoredEntry;
import io.holdfast.saga.spi.StoredSaga;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running engine on one node, over whatever store. Threadsafe. */
public final class Engine implements Sagas {
    private static final Logger LOG = LoggerFactory.getLogger(Engine.class);
    private static final Duration AFTER_THE_INTERRUPT = Duration.ofMillis(500);

    private final Node node;
    private final Definitions definitions;
    private final Dispatcher dispatcher;
    private final @Nullable ExecutorService ownThreads;
    private final AtomicBoolean closed = new AtomicBoolean();
    private @Nullable Heartbeat heartbeat;

    /**
     * What an engine is made of.
     *
     * @param store where sagas live
     * @param payloads how data is written
     * @param definitions what can be driven
     * @param listeners who hears the journal
     * @param waiting the JVM's clock, closed with the engine
     * @param executor where sagas run; null for daemon threads of the engine's own
     */
    public record Parts(
            SagaStore store,
            Payloads payloads,
            List<? extends SagaDefinition<?>> definitions,
            List<SagaListener> listeners,
            Waiting waiting,
            @Nullable Executor executor) {}

    /** What one pass of the reaper did: sagas claimed in all, and those of them whose owner's lease had expired. */
    public record Pass(int claimed, int takenOver) {}

    /** An engine that does nothing by itself until {@link #begin}. */
    public Engine(Settings settings, Parts parts) {
        this.node = new Node(
                settings, parts.store(), parts.payloads(), new Announcements(parts.listeners()), parts.waiting());
        this.definitions = new Definitions(parts.definitions());
        this.ownThreads =
                parts.executor() == null ? Executors.newCachedThreadPool(new DaemonThreads("holdfast-saga")) : null;
        Executor executor = parts.executor() == null ? ownThreads : parts.executor();
        this.dispatcher = new Dispatcher(node, definitions, Objects.requireNonNull(executor));
    }

    /** Begins to keep leases; called once. */
    public void begin() {
        heartbeat = new Heartbeat(node, dispatcher);
        heartbeat.begin();
    }

    Node node() {
        return node;
    }

    /** One pass of the reaper: claims what is due and hands it to the slots. */
    public Pass tick() {
        Dispatcher.Pass pass = dispatcher.tick();
        return new Pass(pass.claimed(), pass.takenOver());
    }

    /** A hint that a saga may be due. */
    public void wake(UUID sagaId) {
        dispatcher.recover(sagaId);
    }

    /** How many sagas are driven on this node now. */
    public int active() {
        return dispatcher.active().size();
    }

    @Override
    public <D> SagaHandle start(SagaType<D> type, String businessKey, D data) {
        NewSaga saga = prepare(type, businessKey, data);
        if (dispatcher.reserveSlot()) {
            startInSlot(saga);
        } else {
            Insertion insertion = node.store().insertUnowned(saga, node.owner(), null);
            accept(saga, insertion);
            dispatcher.overflowed();
        }
        return new Handle(this, saga.sagaId());
    }

    private void startInSlot(NewSaga saga) {
        boolean begun = false;
        try {
            LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
            Insertion insertion = node.store().insertOwned(saga, node.owner(), node.lease());
            if (accept(saga, insertion)) {
                begun = true;
                dispatcher.begin(insertion.saga(), Drive.Begin.STARTED, before);
            }
        } finally {
            if (!begun) {
                dispatcher.releaseSlot();
            }
        }
    }

    /** Starts inside the caller's transaction: the saga exists if that commits, and runs after it. */
    public <D> SagaHandle startIn(StoreTransaction joined, SagaType<D> type, String businessKey, D data) {
        NewSaga saga = prepare(type, businessKey, data);
        Insertion insertion = node.store().insertUnowned(saga, node.owner(), joined);
        if (isNew(saga, insertion)) {
            node.announcements().storedInTransaction(saga.sagaId());
        }
        dispatcher.recoverLater(saga.sagaId(), Duration.ofMillis(50));
        dispatcher.recoverLater(saga.sagaId(), Duration.ofMillis(500));
        return new Handle(this, saga.sagaId());
    }

    @Override
    public <D> Optional<SagaOutcome> run(SagaType<D> type, String businessKey, D data, Duration atMost) {
        NewSaga saga = prepare(type, businessKey, data);
        Handle handle = new Handle(this, saga.sagaId());
        LeaseClock.Reading before = LeaseClock.Reading.of(node.waiting());
        Insertion insertion = node.store().insertOwned(saga, node.owner(), node.lease());
        boolean interrupted = Thread.interrupted();
        if (accept(saga, insertion)) {
            interrupted |= driveHere(insertion.saga(), definitions.get(type), before);
        }
        try {
            return handle.await(interrupted ? Duration.ZERO : atMost);
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Whether the thread was interrupted meanwhile; its flag is clean afterwards. */
    private boolean driveHere(StoredSaga saga, Definition<?> definition, LeaseClock.Reading before) {
        Drive<?> drive = dispatcher.beginHere(saga, definition, before);
        drive.run();
        return Thread.interrupted() || drive.wasInterrupted();
    }

    private <D> NewSaga prepare(SagaType<D> type, String businessKey, D data) {
        if (closed.get()) {
            throw new SagaUsageException(SagaError.CLOSED, "the engine is closed; nothing was started");
        }
        Definition<D> definition = definitions.get(type);
        Checks.businessKey(businessKey);
        Checks.argument("data", data);
        String json = node.payloads().encode("data", data);
        String identity = node.payloads().fingerprint(type.identityOf(data));
        return new NewSaga(
                Digests.sagaId(type.name(), businessKey),
                definition.ref(),
                businessKey,
                identity,
                UUID.randomUUID(),
                json,
                definition.steps().get(0).name(),
                definition.deadline());
    }

    /** Whether the saga is new, and then told so. */
    private boolean accept(NewSaga wanted, Insertion insertion) {
        boolean isNew = isNew(wanted, insertion);
        if (isNew) {
            StoredSaga saga = insertion.saga();
            NewEntry started = NewEntry.of(Kind.STARTED, wanted.firstStep(), saga.direction());
            node.announcements()
                    .entry(saga, new StoredEntry(1, saga.createdAt(), saga.runSeq(), node.owner(), started));
        }
        return isNew;
    }

    /** Whether the saga is new. Same key, same identity: the saga that exists; other identity: refused. */
    private static boolean isNew(NewSaga wanted, Insertion insertion) {
        StoredSaga saga = insertion.saga();
        if (insertion.kind() == Insertion.Kind.INSERTED) {
            return true;
        }
        boolean comparable = saga.typeVersion() == wanted.definition().typeVersion();
        if (comparable && !saga.origin().identity().equals(wanted.identity())) {
            throw new SagaConflictException(
                    SagaError.KEY_CONFLICT,
                    "business key \"" + Texts.printable(wanted.businessKey()) + "\" of " + saga.typeName()
                            + " is taken by saga " + saga.sagaId() + ", which was started with another identity");
        }
        return false;
    }

    @Override
    public SagaHandle handle(SagaType<?> type, String businessKey) {
        Checks.argument("type", type);
        return new Handle(this, Digests.sagaId(type.name(), Checks.businessKey(businessKey)));
    }

    @Override
    public SagaHandle handle(UUID sagaId) {
        return new Handle(this, Checks.argument("saga id", sagaId));
    }

    SagaOutcome outcome(StoredSaga saga) {
        return new StoredOutcome(saga.state(), Progress.of(node.store().journal(saga.sagaId())), node.payloads());
    }

    Verdict cancel(UUID sagaId, String reason) {
        Drive<?> drive = dispatcher.find(sagaId);
        Verdict verdict = node.store().cancel(sagaId, node.owner(), reason);
        if (verdict == Verdict.APPLIED) {
            if (drive == null) {
                node.announceLast(sagaId, Kind.TURNED_BACK);
            } // else it is told by the thread that drives the saga, in the order of its entries
            signal(sagaId);
        }
        return verdict;
    }

    /** An operator's action on a stuck saga. */
    public Verdict operate(UUID sagaId, OperatorAction action, String note) {
        Verdict verdict = node.store().operate(Checks.argument("saga id", sagaId), action, note);
        if (verdict == Verdict.APPLIED) {
            node.announceLast(sagaId, Kind.OPERATOR);
            signal(sagaId);
        }
        return verdict;
    }

    private void signal(UUID sagaId) {
        Drive<?> drive = dispatcher.find(sagaId);
        if (drive != null) {
            drive.signal();
        } else {
            wake(sagaId);
        }
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        dispatcher.close();
        boolean interrupted = false;
        try {
            letAttemptsEnd();
        } catch (InterruptedException e) {
            interrupted = true;
        }
        // the heartbeat last: until here it kept the leases of what was still running
        if (heartbeat != null) {
            heartbeat.close();
        }
        if (ownThreads != null) {
            ownThreads.shutdown();
        }
        node.waiting().close();
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void letAttemptsEnd() throws InterruptedException {
        long until = node.waiting().nanos() + node.settings().grace().toNanos();
        if (dispatcher.awaitIdle(until)) {
            return;
        }
        dispatcher.active().forEach(Drive::stop);
        if (!dispatcher.awaitIdle(node.waiting().nanos() + AFTER_THE_INTERRUPT.toNanos())) {
            dispatcher
                    .active()
                    .forEach(drive -> LOG.warn(
                            "Closed while an attempt of {} still runs; its lease is left to expire",
                            drive.seat().saga()));
        }
    }
}
