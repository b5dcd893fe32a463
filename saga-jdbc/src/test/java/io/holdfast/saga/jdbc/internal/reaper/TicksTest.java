package io.holdfast.saga.jdbc.internal.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.jdbc.reaper.Reaper.Pass;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TicksTest {
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final AtomicLong now = new AtomicLong(-7);
    private final AtomicInteger passes = new AtomicInteger();
    private final Ticks ticks = new Ticks(this::pass, EVERY, now::get);
    private RuntimeException failure;

    private Pass pass() {
        passes.incrementAndGet();
        if (failure != null) {
            throw failure;
        }
        return new Pass(1, 2, 3);
    }

    private void after(Duration time) {
        now.addAndGet(time.toNanos());
    }

    @Test
    @DisplayName("B101: what a scheduler fires in a burst is one pass")
    void what_a_scheduler_fires_in_a_burst_is_one_pass() {
        for (int i = 0; i < 10; i++) {
            ticks.fire();
        }
        assertThat(passes).hasValue(1);

        after(EVERY);
        ticks.fire();
        assertThat(passes).hasValue(2);
    }

    @Test
    void a_pass_that_is_asked_for_is_never_left_out() {
        ticks.fire();
        assertThat(ticks.tick()).isEqualTo(new Pass(1, 2, 3));
        assertThat(passes).hasValue(2);
    }

    @Test
    @DisplayName("B101: a tick is left out while another runs")
    void a_tick_is_left_out_while_another_runs() throws Exception {
        var began = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var slow = new Ticks(
                () -> {
                    passes.incrementAndGet();
                    began.countDown();
                    await(end);
                    return new Pass(0, 0, 0);
                },
                EVERY,
                now::get);
        var thread = Executors.newSingleThreadExecutor();
        var running = thread.submit(slow::tick);
        began.await();
        after(EVERY);

        slow.fire();

        assertThat(passes).hasValue(1);
        end.countDown();
        running.get();
        thread.shutdown();
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_failing_pass_does_not_end_the_ticking_and_does_not_count_as_one() {
        failure = new IllegalStateException("the database is away");
        ticks.fire();
        assertThat(ticks.sinceLastTick()).isEmpty();

        failure = null;
        after(EVERY);
        ticks.fire();
        assertThat(ticks.sinceLastTick()).contains(Duration.ZERO);
    }

    @Test
    void a_failing_pass_is_told_to_who_asked_for_it() {
        failure = new IllegalStateException("the database is away");
        assertThatThrownBy(ticks::tick).isSameAs(failure);
    }

    @Test
    @DisplayName("B103: health says so when no pass has ended well for three intervals")
    void health_says_so_when_no_pass_has_ended_well_for_three_intervals() {
        after(EVERY.multipliedBy(3));
        assertThat(ticks.isLate()).isFalse();
        after(Duration.ofMillis(1));
        assertThat(ticks.isLate()).isTrue();

        ticks.fire();
        assertThat(ticks.isLate()).isFalse();
        after(Duration.ofMillis(1));
        assertThat(ticks.sinceLastTick()).contains(Duration.ofMillis(1));

        failure = new IllegalStateException("the database is away");
        after(EVERY.multipliedBy(3));
        ticks.fire();
        assertThat(ticks.isLate()).isTrue();
    }

    @Test
    void after_close_nothing_ticks_and_nothing_is_late() {
        ticks.close(Duration.ZERO);
        after(EVERY.multipliedBy(4));

        ticks.fire();

        assertThat(passes).hasValue(0);
        assertThat(ticks.isLate()).isFalse();
        assertThatThrownBy(ticks::tick).isInstanceOf(SagaUsageException.class).hasMessageContaining("SAGA-205");
    }
}
