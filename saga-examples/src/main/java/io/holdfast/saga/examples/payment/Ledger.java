package io.holdfast.saga.examples.payment;

import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.Books.State;
import io.holdfast.saga.examples.payment.PaymentGateway.Purchase;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The provider's memory: the outcome of each key, for ever. One lock over everything, so that two calls with one key cannot
 * both be the first.
 */
final class Ledger {
    private final Faults faults;
    private final Map<String, Remembered> calls = new LinkedHashMap<>();
    private final Map<String, Hold> holds = new LinkedHashMap<>();
    private final Map<String, String> idByAuthorizeKey = new HashMap<>();
    private final Set<String> undoneBeforeSeen = new HashSet<>();

    Ledger(Faults faults) {
        this.faults = faults;
    }

    synchronized Answer authorize(Purchase purchase, String key) {
        return once(new Question(Kind.AUTHORIZE, key, purchase.toString(), purchase.reference()), () -> {
            if (undoneBeforeSeen.contains(key)) {
                return Answer.refused(410, "voided before it arrived");
            }
            if (faults.declines(Kind.AUTHORIZE, purchase.account())) {
                return Answer.refused(402, "card declined");
            }
            var hold = new Hold("auth-" + (holds.size() + 1), purchase);
            holds.put(hold.id, hold);
            idByAuthorizeKey.put(key, hold.id);
            return Answer.of(hold.authorization());
        });
    }

    synchronized Answer capture(String id, String key) {
        var hold = holds.get(id);
        return once(new Question(Kind.CAPTURE, key, id, subject(hold)), () -> {
            if (hold == null) {
                return Answer.refused(404, "no authorization " + id);
            }
            if (hold.state != State.OPEN) {
                return Answer.refused(409, id + " is " + hold.state);
            }
            if (faults.declines(Kind.CAPTURE, hold.purchase.account())) {
                return Answer.refused(402, "the bank refuses to pay");
            }
            hold.state = State.CAPTURED;
            return Answer.of(hold.receipt());
        });
    }

    synchronized Answer voidById(String id, String key) {
        var hold = holds.get(id);
        return once(
                new Question(Kind.VOID, key, id, subject(hold)),
                () -> hold == null ? Answer.refused(404, "no authorization " + id) : voided(hold));
    }

    synchronized Answer voidByKey(String authorizeKey, String key) {
        var id = idByAuthorizeKey.get(authorizeKey);
        var hold = id == null ? null : holds.get(id);
        return once(new Question(Kind.VOID, key, authorizeKey, subject(hold)), () -> {
            if (hold != null) {
                return voided(hold);
            }
            undoneBeforeSeen.add(authorizeKey);
            return Answer.of(Map.of("state", "NOTHING_THERE"));
        });
    }

    synchronized Answer findByKey(String authorizeKey) {
        return Optional.ofNullable(idByAuthorizeKey.get(authorizeKey))
                .map(holds::get)
                .map(hold -> Answer.of(hold.authorization()))
                .orElseGet(() -> Answer.refused(404, "no authorization with that key"));
    }

    synchronized Books books() {
        return new Books(
                holds.values().stream().map(Hold::entry).toList(),
                calls.values().stream().map(Remembered::call).toList());
    }

    /** Whose money an authorization is about: faults are switched by account. */
    synchronized Optional<Long> owner(String id) {
        return Optional.ofNullable(holds.get(id)).map(hold -> hold.purchase.account());
    }

    /** As {@link #owner}, by the key of the call that made it. */
    synchronized Optional<Long> ownerByKey(String authorizeKey) {
        return Optional.ofNullable(idByAuthorizeKey.get(authorizeKey)).flatMap(this::owner);
    }

    private Answer once(Question question, Supplier<Answer> work) {
        var remembered = calls.get(question.key());
        if (remembered == null) {
            remembered = new Remembered(question, work.get());
            calls.put(question.key(), remembered);
        }
        remembered.attempts++;
        return remembered.question.asksTheSameAs(question)
                ? remembered.answer
                : Answer.refused(422, "the key was used for another request");
    }

    private static Answer voided(Hold hold) {
        if (hold.state == State.CAPTURED) {
            return Answer.refused(409, hold.id + " is captured");
        }
        hold.state = State.VOIDED;
        return Answer.of(Map.of("state", "VOIDED"));
    }

    private static String subject(@Nullable Hold hold) {
        return hold == null ? "" : hold.purchase.reference();
    }

    /** What is asked: {@code wish} tells two requests apart that carry one key. */
    private record Question(Kind kind, String key, String wish, String subject) {
        boolean asksTheSameAs(Question other) {
            return kind == other.kind && wish.equals(other.wish);
        }
    }

    private static final class Remembered {
        private final Question question;
        private final Answer answer;
        private int attempts;

        Remembered(Question question, Answer answer) {
            this.question = question;
            this.answer = answer;
        }

        Books.Call call() {
            return new Books.Call(question.key(), question.kind(), question.subject(), attempts, answer.status());
        }
    }

    private static final class Hold {
        private final String id;
        private final Purchase purchase;
        private State state = State.OPEN;

        Hold(String id, Purchase purchase) {
            this.id = id;
            this.purchase = purchase;
        }

        PaymentGateway.Authorization authorization() {
            return new PaymentGateway.Authorization(id, purchase.amount());
        }

        PaymentGateway.Receipt receipt() {
            return new PaymentGateway.Receipt("receipt-of-" + id, purchase.amount());
        }

        Books.Entry entry() {
            return new Books.Entry(id, purchase.account(), purchase.amount(), purchase.reference(), state);
        }
    }
}
