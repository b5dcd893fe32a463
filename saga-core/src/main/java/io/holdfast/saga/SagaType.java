package io.holdfast.saga;

import io.holdfast.saga.internal.Checks;
import java.util.Objects;
import java.util.function.Function;

/**
 * Identity of a saga type: the name and version under which its sagas are stored, the class of its data, and what makes
 * two starts with one business key the same. Immutable and threadsafe; make one constant per type.
 *
 * @param <D> the class of its data
 */
public final class SagaType<D> {
    private final String name;
    private final int version;
    private final Class<D> dataClass;
    private final Function<? super D, ?> identity;

    private SagaType(String name, int version, Class<D> dataClass, Function<? super D, ?> identity) {
        this.name = name;
        this.version = version;
        this.dataClass = dataClass;
        this.identity = identity;
    }

    /**
     * A type whose identity is the whole data.
     *
     * @param <D> the class of its data
     * @param name persisted: 1 to 100 letters, digits, dots, dashes and underscores, beginning with a letter or digit
     * @param version 1 or more; raise it when steps are added, removed, renamed or moved
     * @param dataClass a class without type parameters; what JSON must restore belongs into a record
     * @return the type
     * @throws SagaDefinitionException when an argument breaks these rules (SAGA-101, SAGA-102, SAGA-103, SAGA-106)
     */
    public static <D> SagaType<D> of(String name, int version, Class<D> dataClass) {
        Checks.name("type", name);
        Checks.version(version);
        Checks.payloadClass("data", dataClass);
        return new SagaType<>(name, version, dataClass, data -> data);
    }

    /**
     * A copy that compares only a part of the data when a business key is started again.
     *
     * @param selected picks what must be equal; must return the same for equal data, never null
     * @return a new type
     * @throws SagaDefinitionException when the function is null (SAGA-106)
     */
    public SagaType<D> identity(Function<? super D, ?> selected) {
        return new SagaType<>(name, version, dataClass, Checks.notNull("identity", selected));
    }

    /** {@return the persisted name} */
    public String name() {
        return name;
    }

    /** {@return the persisted version} */
    public int version() {
        return version;
    }

    /** {@return the class of the data} */
    public Class<D> dataClass() {
        return dataClass;
    }

    /**
     * What {@link #identity} selects from the data.
     *
     * @param data never null
     * @return what is compared
     */
    public Object identityOf(D data) {
        return Objects.requireNonNull(identity.apply(data), () -> "identity of " + this + " returned null");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof SagaType<?> that && name.equals(that.name) && version == that.version;
    }

    @Override
    public int hashCode() {
        return Objects.hash(name, version);
    }

    @Override
    public String toString() {
        return name + " v" + version;
    }
}
