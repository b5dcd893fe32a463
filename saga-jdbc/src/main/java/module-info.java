/** Sagas on PostgreSQL: the store, semantic locks and their kin, the reaper, audit and operator actions. */
module io.holdfast.saga.jdbc {
    requires transitive io.holdfast.saga;
    requires transitive java.sql;
    requires static transitive org.jspecify;
    requires transitive org.jooq;
    requires transitive org.quartz;
    requires org.postgresql.jdbc;
    requires org.slf4j;
    requires transitive tools.jackson.databind;

    exports io.holdfast.saga.jdbc;
    exports io.holdfast.saga.jdbc.admin;
    exports io.holdfast.saga.jdbc.audit;
    exports io.holdfast.saga.jdbc.barrier;
    exports io.holdfast.saga.jdbc.counter;
    exports io.holdfast.saga.jdbc.edit;
    exports io.holdfast.saga.jdbc.lock;
    exports io.holdfast.saga.jdbc.reaper;
    exports io.holdfast.saga.jdbc.reservation;
    exports io.holdfast.saga.jdbc.internal.reaper to
            org.quartz;
// exports io.holdfast.saga.jdbc.spi;
}
