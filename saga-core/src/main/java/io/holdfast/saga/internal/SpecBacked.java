package io.holdfast.saga.internal;

/** What every step made by the library is underneath. */
public interface SpecBacked<D> {
    /** The step as the engine sees it. */
    StepSpec<D> spec();
}
