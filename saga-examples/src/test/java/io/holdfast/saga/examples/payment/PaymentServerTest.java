package io.holdfast.saga.examples.payment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.examples.payment.Books.Kind;
import io.holdfast.saga.examples.payment.Books.State;
import io.holdfast.saga.examples.payment.PaymentGateway.Declined;
import io.holdfast.saga.examples.payment.PaymentGateway.Purchase;
import java.io.IOException;
import java.math.BigDecimal;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PaymentServerTest {
    private static final Purchase APPLES = new Purchase(7, new BigDecimal("9.90"), "order-1");

    private PaymentServer server;
    private PaymentGateway gateway;

    @BeforeEach
    void start() throws IOException {
        server = PaymentServer.start();
        gateway = new HttpPaymentGateway(server.uri(), Duration.ofSeconds(5));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void a_repeated_key_gets_the_first_answer_and_has_one_effect() throws Exception {
        var first = gateway.authorize(APPLES, "a");
        assertThat(gateway.authorize(APPLES, "a")).isEqualTo(first);
        var receipt = gateway.capture(first.id(), "c");
        assertThat(gateway.capture(first.id(), "c")).isEqualTo(receipt);

        assertThat(server.books().total(State.CAPTURED)).isEqualByComparingTo("9.90");
        assertThat(server.books().calls())
                .containsExactly(
                        new Books.Call("a", Kind.AUTHORIZE, "order-1", 2, 200),
                        new Books.Call("c", Kind.CAPTURE, "order-1", 2, 200));
    }

    @Test
    void a_second_capture_with_another_key_is_refused() throws Exception {
        var authorization = gateway.authorize(APPLES, "a");
        gateway.capture(authorization.id(), "c");
        assertThatThrownBy(() -> gateway.capture(authorization.id(), "other")).isInstanceOf(Declined.class);
    }

    @Test
    void a_key_cannot_be_used_for_two_requests() throws Exception {
        gateway.authorize(APPLES, "a");
        assertThatThrownBy(() -> gateway.authorize(new Purchase(8, BigDecimal.ONE, "order-2"), "a"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("422");
    }

    @Test
    void a_decline_is_remembered() {
        server.faults().decline(Kind.AUTHORIZE, 7);
        assertThatThrownBy(() -> gateway.authorize(APPLES, "a")).isInstanceOf(Declined.class);
        assertThatThrownBy(() -> gateway.authorize(APPLES, "a")).isInstanceOf(Declined.class);
        assertThat(server.books().entries()).isEmpty();
    }

    @Test
    void an_authorization_is_voided_by_its_id_or_by_its_key() throws Exception {
        gateway.voidAuthorization(gateway.authorize(APPLES, "a").id(), "v1");
        gateway.authorize(APPLES, "b");
        gateway.voidByKey("b", "v2");
        gateway.voidByKey("b", "v2");
        assertThat(server.books().entries()).extracting(Books.Entry::state).containsOnly(State.VOIDED);
    }

    @Test
    void an_authorize_that_arrives_after_its_undo_is_refused() throws Exception {
        gateway.voidByKey("a", "v");
        assertThatThrownBy(() -> gateway.authorize(APPLES, "a"))
                .isInstanceOf(Declined.class)
                .hasMessageContaining("voided before it arrived");
        assertThat(gateway.findByKey("a")).isEmpty();
    }

    @Test
    void what_is_captured_cannot_be_voided() throws Exception {
        gateway.capture(gateway.authorize(APPLES, "a").id(), "c");
        assertThatThrownBy(() -> gateway.voidByKey("a", "v")).isInstanceOf(IOException.class);
        assertThat(server.books().total(State.VOIDED)).isZero();
    }

    @Test
    void a_lost_answer_leaves_its_effect_to_be_found() throws Exception {
        server.faults().loseAnswers(Kind.AUTHORIZE, 7, 1);
        assertThatThrownBy(() -> gateway.authorize(APPLES, "a")).isInstanceOf(IOException.class);
        var found = gateway.findByKey("a").orElseThrow();
        assertThat(gateway.authorize(APPLES, "a")).isEqualTo(found);
    }

    @Test
    void a_slow_answer_times_out_although_the_work_is_done() throws Exception {
        server.faults().answerSlowly(Kind.AUTHORIZE, 7, Duration.ofSeconds(30));
        var hasty = new HttpPaymentGateway(server.uri(), Duration.ofMillis(200));
        assertThatThrownBy(() -> hasty.authorize(APPLES, "a")).isInstanceOf(IOException.class);
        assertThat(gateway.findByKey("a")).isPresent();
    }

    @Test
    void a_server_that_is_down_does_nothing() throws Exception {
        server.faults().goDown();
        assertThatThrownBy(() -> gateway.authorize(APPLES, "a")).isInstanceOf(IOException.class);
        server.faults().comeBack();
        assertThat(gateway.findByKey("a")).isEmpty();
    }

    @Test
    void a_call_without_a_key_is_a_bad_request() throws Exception {
        assertThatThrownBy(() -> gateway.capture("no-such", "k"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("404");
        assertThat(server.books().calls()).extracting(Books.Call::attempts).containsOnly(1);
    }
}
