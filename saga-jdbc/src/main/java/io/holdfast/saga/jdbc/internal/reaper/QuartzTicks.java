package io.holdfast.saga.jdbc.internal.reaper;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import java.time.Duration;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.impl.StdSchedulerFactory;
import org.quartz.simpl.RAMJobStore;
import org.quartz.simpl.SimpleThreadPool;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ticks by Quartz: by a scheduler of our own, or as one more job of the application's. Triggers live in memory only: a persistent
 * one would be fired by whichever node is first, and can be left ACQUIRED or BLOCKED for ever by a node that died.
 */
public final class QuartzTicks implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(QuartzTicks.class);
    private static final String GROUP = "holdfast";

    private final String name;
    private final Ticks ticks;
    private final Scheduler scheduler;
    private final boolean own;
    private final Watchdog watchdog;

    private QuartzTicks(String name, Ticks ticks, Scheduler scheduler, boolean own, Duration every) {
        this.name = name;
        this.ticks = ticks;
        this.scheduler = scheduler;
        this.own = own;
        this.watchdog = new Watchdog(name, ticks, every);
    }

    /** Begins to tick, the first time at once. The name must be unique in the JVM; without a scheduler one is made. */
    public static QuartzTicks begin(String name, Ticks ticks, Duration every, @Nullable Scheduler given) {
        try {
            Scheduler scheduler = given == null ? ownScheduler(name) : given;
            QuartzTicks wiring = new QuartzTicks(name, ticks, scheduler, given == null, every);
            wiring.begin(every);
            return wiring;
        } catch (SchedulerException e) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_SETTING, "the reaper cannot be scheduled: the scheduler refuses its job", e);
        }
    }

    /** Refuses a scheduler that could not tick for this process. */
    public static Scheduler check(Scheduler scheduler) {
        try {
            if (scheduler.isShutdown()) {
                throw refused("it is shut down");
            }
            if (scheduler.getMetaData().isJobStoreSupportsPersistence()) {
                throw refused(
                        "its job store is persistent, so that ticks of this process could be fired elsewhere or get"
                                + " stuck with a dead node; pass one with a RAMJobStore, or none");
            }
            return scheduler;
        } catch (SchedulerException e) {
            throw new SagaDefinitionException(SagaError.INVALID_SETTING, "the scheduler cannot be asked", e);
        }
    }

    private static SagaDefinitionException refused(String why) {
        return new SagaDefinitionException(SagaError.INVALID_SETTING, "the scheduler is refused: " + why);
    }

    /** Everything is said here, since Quartz fills gaps from a quartz.properties on the class path only when it is told nothing. */
    private static Scheduler ownScheduler(String name) throws SchedulerException {
        Properties properties = new Properties();
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_NAME, name);
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_INSTANCE_ID, name);
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_THREAD_NAME, name + "-scheduler");
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_MAKE_SCHEDULER_THREAD_DAEMON, "true");
        properties.setProperty(StdSchedulerFactory.PROP_SCHED_JMX_EXPORT, "false");
        properties.setProperty("org.quartz.scheduler.skipUpdateCheck", "true");
        properties.setProperty(StdSchedulerFactory.PROP_THREAD_POOL_CLASS, SimpleThreadPool.class.getName());
        properties.setProperty("org.quartz.threadPool.threadCount", "1");
        properties.setProperty("org.quartz.threadPool.threadNamePrefix", name);
        properties.setProperty("org.quartz.threadPool.makeThreadsDaemons", "true");
        properties.setProperty(StdSchedulerFactory.PROP_JOB_STORE_CLASS, RAMJobStore.class.getName());
        properties.setProperty("org.quartz.jobStore.misfireThreshold", "1000");
        return new StdSchedulerFactory(properties).getScheduler();
    }

    private void begin(Duration every) throws SchedulerException {
        ReaperJob.register(name, ticks);
        boolean begun = false;
        try {
            scheduler.scheduleJob(job(), trigger(every));
            if (own) {
                scheduler.start();
            } else if (scheduler.isInStandbyMode()) {
                LOG.warn("The scheduler given to the builder is not started: the reaper ticks only once it is");
            }
            begun = true;
        } finally {
            if (!begun) {
                close();
            }
        }
    }

    private JobDetail job() {
        return JobBuilder.newJob(ReaperJob.class)
                .withIdentity(key())
                .usingJobData(ReaperJob.NAME, name)
                .build();
    }

    private JobKey key() {
        return JobKey.jobKey(name, GROUP);
    }

    private Trigger trigger(Duration every) {
        return TriggerBuilder.newTrigger()
                .withIdentity(name, GROUP)
                .startNow()
                .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                        .withIntervalInMilliseconds(every.toMillis())
                        .repeatForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }

    /** No tick begins after this; the application's scheduler loses our job and nothing else. Repeated calls do nothing. */
    public void close(Duration atMost) {
        watchdog.close();
        ReaperJob.deregister(name);
        try {
            if (own) {
                scheduler.shutdown(false);
            } else {
                scheduler.deleteJob(key());
            }
        } catch (SchedulerException e) {
            LOG.debug("The reaper's job was not removed: the scheduler is shut down already", e);
        }
        ticks.close(atMost);
    }

    @Override
    public void close() {
        close(Duration.ZERO);
    }
}
