package io.holdfast.saga.memory;

import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Engine;
import io.holdfast.saga.internal.Payloads;
import io.holdfast.saga.internal.Settings;
import io.holdfast.saga.internal.Settings.Limits;
import io.holdfast.saga.spi.PayloadCodec;
import io.holdfast.saga.spi.StoredEntry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Stream;

/**
 * The engine, with a clock that stands still and an executor that only collects. It has no heartbeat: leases cannot run down while
 * sagas run, because no time passes then.
 */
final class VirtualSagas implements InMemorySagas {
    private static final Duration LONGEST = Duration.ofDays(3650);

    // waiting in place would be real time: every retry parks
    private static final Limits LIMITS =
            new Limits(Limits.DEFAULT.payloadChars(), Duration.ZERO, Limits.DEFAULT.takeovers());
    private static final Settings SETTINGS = new Settings("memory", Duration.ofDays(2), 1000, Duration.ZERO, LIMITS);

    private final VirtualClock clock = new VirtualClock();
    private final InMemorySagaStore store = new InMemorySagaStore(clock);
    private final Queue<Runnable> ready = new ConcurrentLinkedQueue<>();
    private final ReentrantLock running = new ReentrantLock();
    private final Engine engine;
    private volatile boolean closed;

    VirtualSagas(List<? extends SagaDefinition<?>> definitions, List<SagaListener> listeners, PayloadCodec codec) {
        Payloads payloads = new Payloads(codec, LIMITS.payloadChars());
        engine = new Engine(SETTINGS, new Engine.Parts(store, payloads, definitions, listeners, clock, ready::add));
    }

    @Override
    public <D> SagaHandle start(SagaType<D> type, String businessKey, D data) {
        requireOpen();
        return new VirtualHandle(this, engine.start(type, businessKey, data));
    }

    @Override
    public <D> Optional<SagaOutcome> run(SagaType<D> type, String businessKey, D data, Duration atMost) {
        SagaHandle handle = start(type, businessKey, data);
        advance(Duration.ZERO);
        return handle.await(atMost);
    }

    @Override
    public SagaHandle handle(SagaType<?> type, String businessKey) {
        return new VirtualHandle(this, engine.handle(type, businessKey));
    }

    @Override
    public SagaHandle handle(UUID sagaId) {
        return new VirtualHandle(this, engine.handle(sagaId));
    }

    @Override
    public void advance(Duration time) {
        Checks.argument("time", time);
        if (time.isNegative() || time.compareTo(LONGEST) > 0) {
            throw new SagaUsageException(
                    SagaError.INVALID_DURATION, "time " + time + " is refused: from PT0S to " + LONGEST);
        }
        Instant until = clock.now().plus(time);
        while (goOn(until)) {
            requireOpen();
        }
    }

    Instant now() {
        return clock.now();
    }

    /** Runs what is ready, or moves on to when something is due. False when nothing is, until then. */
    boolean goOn(Instant until) {
        requireOpen();
        if (running.isHeldByCurrentThread()) {
            clock.moveTo(until); // a step says that it takes so long
            return false;
        }
        running.lock();
        try {
            Runnable task = ready.poll();
            if (task != null) {
                task.run();
                return true;
            }
            return engine.tick().claimed() > 0 || moveOn(until);
        } finally {
            running.unlock();
        }
    }

    private boolean moveOn(Instant until) {
        Optional<Instant> next = Stream.of(clock.next(), store.nextDueAfter(clock.now()))
                .flatMap(Optional::stream)
                .min(Instant::compareTo)
                .filter(at -> !at.isAfter(until));
        clock.moveTo(next.orElse(until));
        return next.isPresent() || !ready.isEmpty();
    }

    @Override
    public List<String> trace(SagaHandle saga) {
        return store.journal(Checks.argument("saga", saga).sagaId()).stream()
                .filter(entry -> entry.kind() == Kind.STEP_DONE || entry.kind() == Kind.STEP_UNDONE)
                .map(VirtualSagas::line)
                .toList();
    }

    private static String line(StoredEntry entry) {
        return (entry.kind() == Kind.STEP_UNDONE ? "undo " : "") + entry.step().orElseThrow();
    }

    private void requireOpen() {
        if (closed) {
            throw new SagaUsageException(SagaError.CLOSED, "these sagas are closed; nothing runs any more");
        }
    }

    /** There is no thread, connection or lease to give back. */
    @Override
    public void close() {
        closed = true;
    }
}
