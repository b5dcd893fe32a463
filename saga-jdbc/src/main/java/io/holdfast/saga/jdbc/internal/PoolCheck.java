package io.holdfast.saga.jdbc.internal;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.List;
import java.util.OptionalInt;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks whether a pool has enough connections. No pool is a dependency of the library: what the usual ones call their size is
 * tried, and who says nothing is believed.
 */
final class PoolCheck {
    private static final Logger LOG = LoggerFactory.getLogger(PoolCheck.class);
    private static final List<String> NAMES =
            List.of("getMaximumPoolSize", "getMaxTotal", "getMaxPoolSize", "getMaxActive");

    private PoolCheck() {}

    static void warnIfSmall(DataSource dataSource, int capacity, boolean ownHeartbeat) {
        int needed = capacity + (ownHeartbeat ? 1 : 2);
        OptionalInt size = size(dataSource);
        if (size.isPresent() && size.getAsInt() > 0 && size.getAsInt() < needed) {
            LOG.warn(
                    "The connection pool has {} connections; {} sagas at once need up to {} ({}, and one for the reaper and"
                            + " callers), apart from what steps take themselves. Sagas will wait for connections{}:"
                            + " enlarge the pool or lower the capacity",
                    size.getAsInt(),
                    capacity,
                    needed,
                    ownHeartbeat ? "one each" : "one each, one for the heartbeat",
                    ownHeartbeat ? "" : ", and leases may expire meanwhile");
        }
    }

    static OptionalInt size(DataSource dataSource) {
        for (String name : NAMES) {
            try {
                Object size = MethodHandles.publicLookup()
                        .findVirtual(dataSource.getClass(), name, MethodType.methodType(int.class))
                        .invoke(dataSource);
                return OptionalInt.of((int) size);
            } catch (NoSuchMethodException | IllegalAccessException e) {
                LOG.trace("{} has no {}", dataSource.getClass(), name, e);
            } catch (Throwable e) {
                LOG.debug("{} of {} failed", name, dataSource.getClass(), e);
            }
        }
        return OptionalInt.empty();
    }
}
