package io.holdfast.saga.spi;

/**
 * What every {@link SagaStore} must do: the transition table of the protocol (§2), its guards and its verdicts. A store passes it
 * with a test class that extends this one and gives {@link #store()} and {@link #passTime}.
 */
public abstract class SagaStoreContract
        implements InsertContract,
                MoveContract,
                GuardContract,
                LocalStepContract,
                JournalContract,
                ClaimContract,
                CancelContract,
                OperatorContract,
                RenewalContract {}
