package io.holdfast.saga.spi;

/**
 * Data and results to JSON and back. The class to read comes from the definition only, never from what is stored. Must be
 * threadsafe.
 */
public interface PayloadCodec {
    /**
     * To JSON.
     *
     * @param value never null
     * @return JSON text
     * @throws RuntimeException when the value cannot be written; the engine wraps it as SAGA-501
     */
    String encode(Object value);

    /**
     * From JSON. Unknown properties are ignored; what is missing becomes null or the type's default.
     *
     * @param <T> the class to make
     * @param json what {@link #encode} wrote, possibly by another version of the application, and reformatted by the store
     * @param type the declared class
     * @return never null
     * @throws RuntimeException when it cannot be read as that class; the engine wraps it as SAGA-503
     */
    <T> T decode(String json, Class<T> type);

    /**
     * A form that is the same for equal values: keys sorted, nulls left out. Compared when a business key is started again.
     *
     * @param value never null
     * @return text
     */
    String canonical(Object value);
}
