/** Sagas: their definitions, the engine that drives them, and what a store has to provide. */
@SuppressWarnings("module") // saga-jdbc is compiled after this module
module io.holdfast.saga {
    requires static transitive org.jspecify;
    requires org.slf4j;

    exports io.holdfast.saga;
    exports io.holdfast.saga.memory;
    exports io.holdfast.saga.spi;
    exports io.holdfast.saga.internal to
            io.holdfast.saga.jdbc;
}
