package io.holdfast.saga.examples.crash;

import io.holdfast.saga.SagaState;
import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.Faults;
import java.util.EnumSet;
import java.util.Set;

/** The ways an order can go when nobody dies, and how it may end when somebody does. */
enum Story {
    /** Forward all the way. */
    PAID,
    /** Back from the middle, with nothing at the provider. */
    CARD_DECLINED,
    /** Back from the pivot: everything is to be undone. */
    BANK_REFUSES,
    /** Back in doubt: every attempt reached the provider and nobody knows. A crash in between may bring the answer after all. */
    AUTHORIZE_IN_DOUBT,
    /** The pivot is asked again. */
    CAPTURE_ASKED_TWICE;

    void arrange(Faults faults, long account) {
        switch (this) {
            case PAID -> {}
            case CARD_DECLINED -> faults.decline(Kind.AUTHORIZE, account);
            case BANK_REFUSES -> faults.decline(Kind.CAPTURE, account);
            case AUTHORIZE_IN_DOUBT -> faults.loseAnswers(Kind.AUTHORIZE, account, CrashNode.ATTEMPTS);
            case CAPTURE_ASKED_TWICE -> faults.loseAnswers(Kind.CAPTURE, account, 1);
        }
    }

    Set<SagaState> ends() {
        return switch (this) {
            case PAID, CAPTURE_ASKED_TWICE -> EnumSet.of(SagaState.COMPLETED);
            case CARD_DECLINED, BANK_REFUSES -> EnumSet.of(SagaState.COMPENSATED);
            case AUTHORIZE_IN_DOUBT -> EnumSet.of(SagaState.COMPLETED, SagaState.COMPENSATED);
        };
    }
}
