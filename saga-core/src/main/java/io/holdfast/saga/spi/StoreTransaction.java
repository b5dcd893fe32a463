package io.holdfast.saga.spi;

/** A store's open transaction, as it is handed to the work of a local step. Each store has its own kind. */
public interface StoreTransaction {}
