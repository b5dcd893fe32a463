package io.holdfast.saga.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.holdfast.saga.CompensatableStep;
import io.holdfast.saga.ExternalStep;
import io.holdfast.saga.JournalEntry;
import io.holdfast.saga.JournalEntry.Kind;
import io.holdfast.saga.RetryPolicy;
import io.holdfast.saga.SagaBuilder;
import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaHandle;
import io.holdfast.saga.SagaOutcome;
import io.holdfast.saga.SagaSnapshot;
import io.holdfast.saga.SagaState;
import io.holdfast.saga.SagaType;
import io.holdfast.saga.StepAction;
import io.holdfast.saga.StepContext;
import io.holdfast.saga.Steps;
import io.holdfast.saga.memory.InMemorySagas;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One saga in virtual time, an oracle of what its steps really did, and its journal as a listener heard it. */
abstract class InVirtualTime {
    static final SagaType<String> TYPE = SagaType.of("order", 1, String.class);
    static final Duration MINUTE = Duration.ofMinutes(1);
    static final Duration LONG = Duration.ofDays(30);

    final Steps<String> steps = Steps.of(String.class);
    final List<String> effects = new ArrayList<>();
    final List<JournalEntry> journal = new ArrayList<>();
    private final InMemorySagas.Builder builder = InMemorySagas.builder().listener((saga, entry) -> journal.add(entry));
    private @Nullable InMemorySagas sagas;

    static SagaBuilder<String> saga() {
        return SagaDefinition.builder(TYPE);
    }

    /** A step that leaves an effect and can be undone. */
    CompensatableStep<String> step(String name) {
        return undoable(name, ctx -> effects.add(name));
    }

    /** A step that does this and can be undone; its undo says whether the action's outcome was in doubt. */
    CompensatableStep<String> undoable(String name, StepAction<StepContext<String>> action) {
        return external(name, action).compensatedBy((ctx, known) -> effects.add("undo " + name));
    }

    ExternalStep<String, Void> external(String name, StepAction<StepContext<String>> action) {
        return steps.external(name, action);
    }

    ExternalStep<String, Void> external(String name) {
        return external(name, ctx -> effects.add(name));
    }

    /** An action that leaves its effect and then fails. */
    StepAction<StepContext<String>> failing(String name, Exception failure) {
        return ctx -> {
            effects.add(name);
            throw failure;
        };
    }

    static RetryPolicy every(Duration delay, int attempts) {
        return RetryPolicy.fixed(delay).maxAttempts(attempts);
    }

    /** Starts it; nothing runs yet. */
    SagaHandle start(SagaDefinition<String> definition) {
        sagas = builder.register(definition).build();
        return sagas.start(TYPE, "42", "data");
    }

    InMemorySagas sagas() {
        return Objects.requireNonNull(sagas);
    }

    void advance(Duration time) {
        sagas().advance(time);
    }

    /** Starts it and lets it come to its end. */
    SagaOutcome run(SagaDefinition<String> definition) {
        return start(definition).await(LONG).orElseThrow();
    }

    SagaState endOf(SagaDefinition<String> definition) {
        return run(definition).state();
    }

    SagaSnapshot snapshot() {
        return sagas().handle(TYPE, "42").snapshot().orElseThrow();
    }

    List<String> trace() {
        return sagas().trace(sagas().handle(TYPE, "42"));
    }

    List<Kind> kinds() {
        return journal.stream().map(JournalEntry::kind).toList();
    }

    List<JournalEntry> entries(Kind kind) {
        return journal.stream().filter(entry -> entry.kind() == kind).toList();
    }

    /** What must hold after every saga. */
    void assertJournalIsSound() {
        List<Long> numbers = journal.stream().map(JournalEntry::seq).toList();
        assertThat(numbers).isSorted().doesNotHaveDuplicates();
        assertThat(journal).isSortedAccordingTo(Comparator.comparing(JournalEntry::runSeq));
        assertThat(entries(Kind.COMPLETED).size() + entries(Kind.COMPENSATED).size())
                .isLessThanOrEqualTo(1);
    }
}
