package io.holdfast.saga.jdbc.internal.reaper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.jdbc.reaper.Reaper;
import io.holdfast.saga.jdbc.reaper.Reaper.Pass;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;
import org.slf4j.LoggerFactory;

class QuartzTicksTest {
    private static final Duration EVERY = Duration.ofMillis(20);
    private static final AtomicInteger APPLICATION_FIRES = new AtomicInteger();

    private final List<QuartzTicks> begun = new ArrayList<>();
    private final List<Scheduler> schedulers = new ArrayList<>();

    /** The application's own job. */
    public static final class ApplicationJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            APPLICATION_FIRES.incrementAndGet();
        }
    }

    private static final class Counter {
        final AtomicInteger passes = new AtomicInteger();
        final Ticks ticks = new Ticks(this::pass, EVERY, System::nanoTime);

        Pass pass() {
            passes.incrementAndGet();
            return new Pass(0, 0, 0);
        }

        void awaitAnother() {
            int before = passes.get();
            await().until(() -> passes.get() > before);
        }
    }

    private QuartzTicks begin(Ticks ticks, Scheduler scheduler) {
        return begin("node-" + UUID.randomUUID(), ticks, scheduler);
    }

    private QuartzTicks begin(String name, Ticks ticks, Scheduler scheduler) {
        var wiring = QuartzTicks.begin(name, ticks, EVERY, scheduler);
        begun.add(wiring);
        return wiring;
    }

    private Scheduler application(String name) throws SchedulerException {
        var properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, name);
        properties.setProperty(StdSchedulerFactory.PROP_THREAD_POOL_CLASS, SimpleThreadPool.class.getName());
        properties.setProperty("org.quartz.threadPool.threadCount", "2");
        properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, RAMJobStore.class.getName());
        var scheduler = new StdSchedulerFactory(properties).getScheduler();
        schedulers.add(scheduler);
        scheduler.scheduleJob(
                JobBuilder.newJob(ApplicationJob.class).build(),
                TriggerBuilder.newTrigger()
                        .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                .withIntervalInMilliseconds(20)
                                .repeatForever())
                        .build());
        return scheduler;
    }

    private static void awaitApplicationJob() {
        int before = APPLICATION_FIRES.get();
        await().until(() -> APPLICATION_FIRES.get() > before);
    }

    @AfterEach
    void closeAll() throws SchedulerException {
        begun.forEach(QuartzTicks::close);
        for (var scheduler : schedulers) {
            scheduler.shutdown(true);
        }
    }

    @Test
    @DisplayName("B102: what lies on the class path does not configure ours")
    void what_lies_on_the_class_path_does_not_configure_ours() throws Exception {
        var hostile = new StdSchedulerFactory().getScheduler();
        assertThatThrownBy(hostile::start).hasStackTraceContaining("nowhere");

        var ours = new Counter();
        begin(ours.ticks, null);

        ours.awaitAnother();
        hostile.shutdown();
        ours.awaitAnother();
    }

    @Test
    @DisplayName(
            "B102: engines and the application's scheduler do not stop each other, in whatever order they come and go")
    void engines_and_the_applications_scheduler_do_not_stop_each_other() throws Exception {
        var one = new Counter();
        var two = new Counter();
        var first = begin(one.ticks, null);
        var application = application("DefaultQuartzScheduler");
        application.start();
        var second = begin(two.ticks, null);

        first.close();
        awaitApplicationJob();
        two.awaitAnother();
        application.shutdown(true);
        two.awaitAnother();
        second.close();

        int passes = one.passes.get();
        var third = new Counter();
        begin(third.ticks, null);
        third.awaitAnother();
        assertThat(one.passes).hasValue(passes);
    }

    @Test
    @DisplayName("B102: on the application's scheduler we leave nothing behind and stop nothing")
    void on_the_applications_scheduler_we_leave_nothing_behind() throws Exception {
        var application = application("app-" + UUID.randomUUID());
        application.start();
        var one = new Counter();
        var two = new Counter();
        var first = begin(one.ticks, application);
        var second = begin(two.ticks, application);
        one.awaitAnother();
        two.awaitAnother();

        first.close();
        two.awaitAnother();
        second.close();

        awaitApplicationJob();
        assertThat(application.isShutdown()).isFalse();
        assertThat(application.getJobKeys(GroupMatcher.jobGroupEquals("holdfast")))
                .isEmpty();
        assertThat(application.getTriggerKeys(GroupMatcher.triggerGroupEquals("holdfast")))
                .isEmpty();
    }

    @Test
    @DisplayName("B104: closing after the application's scheduler, twice, and from a tick, is fine")
    void closing_late_twice_and_from_a_tick_is_fine() throws Exception {
        var application = application("app-" + UUID.randomUUID());
        application.start();
        var ticks = begin(new Counter().ticks, application);
        application.shutdown(true);
        ticks.close();
        ticks.close();

        var closed = new CountDownLatch(1);
        var self = new QuartzTicks[1];
        var made = new CountDownLatch(1);
        self[0] = begin(
                new Ticks(
                        () -> {
                            awaitLatch(made);
                            self[0].close(Duration.ofSeconds(10));
                            closed.countDown();
                            return new Pass(0, 0, 0);
                        },
                        EVERY,
                        System::nanoTime),
                null);
        made.countDown();
        assertThat(closed.await(5, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    @DisplayName("B104: closing waits for a running tick, but not longer than it is told")
    void closing_waits_for_a_running_tick_but_not_for_ever() throws Exception {
        var began = new CountDownLatch(1);
        var end = new CountDownLatch(1);
        var ticks = begin(
                new Ticks(
                        () -> {
                            began.countDown();
                            awaitLatch(end);
                            return new Pass(0, 0, 0);
                        },
                        EVERY,
                        System::nanoTime),
                null);
        began.await();
        long from = System.nanoTime();

        ticks.close(Duration.ofMillis(100));

        assertThat(Duration.ofNanos(System.nanoTime() - from)).isBetween(Duration.ofMillis(100), Duration.ofSeconds(5));
        end.countDown();
    }

    private static void awaitLatch(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("B104: no thread of ours keeps the JVM alive")
    void no_thread_of_ours_keeps_the_jvm_alive() {
        String name = "node-" + UUID.randomUUID();
        var ours = new Counter();
        begin(name, ours.ticks, null);
        ours.awaitAnother();

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().contains(name))
                .hasSizeGreaterThanOrEqualTo(3)
                .allMatch(Thread::isDaemon);
    }

    @Test
    @DisplayName("B101: after a long tick, one follows at a time and none in a burst")
    void after_a_long_tick_none_follows_in_a_burst() {
        var begins = new ConcurrentLinkedQueue<Long>();
        var concurrent = new AtomicInteger();
        var most = new AtomicInteger();
        var never = new CountDownLatch(1);
        begin(
                new Ticks(
                        () -> {
                            most.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
                            begins.add(System.nanoTime());
                            if (begins.size() == 1) {
                                awaitAtMost(never, EVERY.multipliedBy(20));
                            }
                            concurrent.decrementAndGet();
                            return new Pass(0, 0, 0);
                        },
                        EVERY,
                        System::nanoTime),
                null);
        await().until(() -> begins.size() >= 8);

        assertThat(most).hasValue(1);
        var times = List.copyOf(begins);
        for (int i = 2; i < times.size(); i++) {
            assertThat(times.get(i) - times.get(i - 1)).isGreaterThanOrEqualTo(EVERY.toNanos() / 2);
        }
    }

    private static void awaitAtMost(CountDownLatch latch, Duration time) {
        try {
            assertThat(latch.await(time.toMillis(), TimeUnit.MILLISECONDS)).isFalse();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    @DisplayName("B99, B103: a scheduler that does not fire is seen, and said once")
    void a_scheduler_that_does_not_fire_is_seen_and_said_once() throws Exception {
        var log = (Logger) LoggerFactory.getLogger(Reaper.class);
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        log.addAppender(lines);
        try {
            var standby = application("app-" + UUID.randomUUID());
            var ours = new Counter();
            begin(ours.ticks, standby);

            await().until(() ->
                    lines.list.stream().anyMatch(line -> line.getMessage().contains("no tick")));
            assertThat(ours.ticks.isLate()).isTrue();
            standby.start();
            ours.awaitAnother();

            await().until(() -> !ours.ticks.isLate());
            assertThat(lines.list)
                    .filteredOn(line -> line.getMessage().contains("no tick"))
                    .hasSize(1);
        } finally {
            log.detachAppender(lines);
        }
    }

    @Test
    @DisplayName("B99, B103: schedulers that cannot tick for this process are refused")
    void schedulers_that_cannot_tick_for_this_process_are_refused() throws Exception {
        var ended = application("app-" + UUID.randomUUID());
        ended.shutdown(true);

        assertThatThrownBy(() -> QuartzTicks.check(ended))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-121")
                .hasMessageContaining("shut down");
        assertThatThrownBy(() -> QuartzTicks.check(persistent()))
                .isInstanceOf(SagaDefinitionException.class)
                .hasMessageContaining("SAGA-121")
                .hasMessageContaining("persistent");
    }

    private Scheduler persistent() throws SchedulerException {
        var properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, "app-" + UUID.randomUUID());
        properties.setProperty(StdSchedulerFactory.PROP_THREAD_POOL_CLASS, SimpleThreadPool.class.getName());
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, PersistentStore.class.getName());
        var scheduler = new StdSchedulerFactory(properties).getScheduler();
        schedulers.add(scheduler);
        return scheduler;
    }

    /** Says that it is persistent, which is all that is asked. */
    public static final class PersistentStore extends RAMJobStore {
        @Override
        public boolean supportsPersistence() {
            return true;
        }
    }
}
