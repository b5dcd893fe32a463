package io.holdfast.saga.jdbc.internal.reaper;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.quartz.DisallowConcurrentExecution;
import org.quartz.Job;
import org.quartz.JobExecutionContext;

/** What Quartz fires. Knows by name, a string in its job data, whose tick it is; a name that is closed does nothing. */
@DisallowConcurrentExecution
public final class ReaperJob implements Job {
    static final String NAME = "holdfast.reaper";

    private static final Map<String, Ticks> TICKS = new ConcurrentHashMap<>();

    static void register(String name, Ticks ticks) {
        TICKS.put(name, ticks);
    }

    static void deregister(String name) {
        TICKS.remove(name);
    }

    @Override
    public void execute(JobExecutionContext context) {
        Ticks ticks = TICKS.get(context.getMergedJobDataMap().getString(NAME));
        if (ticks != null) {
            ticks.fire();
        }
    }
}
