package io.holdfast.saga.memory;

import io.holdfast.saga.SagaDefinition;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaListener;
import io.holdfast.saga.StepKey;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.internal.Definition;
import io.holdfast.saga.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.List;

/** Collects definitions and stubs, and brings them together. */
final class InMemoryBuilder implements InMemorySagas.Builder {
    private final List<Definition<?>> definitions = new ArrayList<>();
    private final List<SagaListener> listeners = new ArrayList<>();
    private final Stubs stubs = new Stubs();
    private PayloadCodec codec = new ReferenceCodec();

    @Override
    public InMemorySagas.Builder register(SagaDefinition<?> definition) {
        Checks.notNull("definition", definition);
        if (!(definition instanceof Definition<?> made)) {
            throw new SagaDefinitionException(
                    SagaError.FOREIGN_STEP,
                    "a definition of " + definition.getClass().getName() + " was not made by the library");
        }
        if (definitions.stream().anyMatch(other -> other.type().equals(made.type()))) {
            throw new SagaDefinitionException(SagaError.DUPLICATE_DEFINITION, made.type() + " is registered already");
        }
        definitions.add(made);
        return this;
    }

    @Override
    public InMemorySagas.Builder listener(SagaListener listener) {
        listeners.add(Checks.notNull("listener", listener));
        return this;
    }

    @Override
    public InMemorySagas.Builder stub(String step) {
        stubs.nothing(Checks.name("step", step));
        return this;
    }

    @Override
    public <R> InMemorySagas.Builder stub(StepKey<R> step, R result) {
        stubs.result(Checks.notNull("step key", step), Checks.notNull("result", result));
        return this;
    }

    @Override
    public InMemorySagas.Builder fail(String step, Exception with) {
        stubs.failure(Checks.name("step", step), Checks.notNull("exception", with));
        return this;
    }

    @Override
    public InMemorySagas.Builder codec(PayloadCodec other) {
        codec = Checks.notNull("codec", other);
        return this;
    }

    @Override
    public InMemorySagas build() {
        return new VirtualSagas(stubs.applyTo(definitions), List.copyOf(listeners), codec);
    }
}
