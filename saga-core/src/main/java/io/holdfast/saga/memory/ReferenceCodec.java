package io.holdfast.saga.memory;

import io.holdfast.saga.spi.PayloadCodec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Keeps the values themselves and stores numbers for them, so that nothing need be fit for JSON. Threadsafe. */
final class ReferenceCodec implements PayloadCodec {
    private final List<Object> values = new ArrayList<>();
    private final Map<Object, Integer> identities = new HashMap<>();

    @Override
    public synchronized String encode(Object value) {
        values.add(value);
        return String.valueOf(values.size() - 1);
    }

    @Override
    public synchronized <T> T decode(String json, Class<T> type) {
        return type.cast(values.get(Integer.parseInt(json)));
    }

    /** Equal values have one number. */
    @Override
    public synchronized String canonical(Object value) {
        return String.valueOf(identities.computeIfAbsent(value, first -> identities.size()));
    }
}
