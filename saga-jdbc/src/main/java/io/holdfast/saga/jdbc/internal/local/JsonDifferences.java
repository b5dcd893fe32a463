package io.holdfast.saga.jdbc.internal.local;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Texts;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Where two JSON texts differ in meaning: the order of fields, null against absent and 1.0 against 1.00 are no differences. */
final class JsonDifferences {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();

    private static final int MOST = 5;
    private static final int LONGEST_VALUE = 60;

    private final List<String> found = new ArrayList<>();
    private int more;

    private JsonDifferences() {}

    /** In words for people, the first few of them. */
    static List<String> between(String before, String now) {
        JsonDifferences differences = new JsonDifferences();
        differences.compare("", tree(before), tree(now));
        if (differences.more > 0) {
            differences.found.add("and at " + differences.more + " more places");
        }
        return List.copyOf(differences.found);
    }

    private static JsonNode tree(String json) {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            throw new PayloadException(SagaError.PAYLOAD_UNREADABLE, "what was remembered cannot be read", e);
        }
    }

    private void compare(String place, @Nullable JsonNode before, @Nullable JsonNode now) {
        if (before != null && now != null && before.isObject() && now.isObject()) {
            Set<String> names = new LinkedHashSet<>(before.propertyNames());
            names.addAll(now.propertyNames());
            names.forEach(name -> compare(place + "/" + name, before.get(name), now.get(name)));
        } else if (before != null && now != null && before.isArray() && now.isArray()) {
            for (int i = 0; i < Math.max(before.size(), now.size()); i++) {
                compare(place + "/" + i, before.get(i), now.get(i));
            }
        } else if (!same(before, now)) {
            add((place.isEmpty() ? "" : "at " + place + " ") + "was " + print(before) + " and is " + print(now));
        }
    }

    private static boolean same(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || one.isNull() || other == null || other.isNull()) {
            return isNothing(one) && isNothing(other);
        }
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        return one.equals(other);
    }

    private static boolean isNothing(@Nullable JsonNode node) {
        return node == null || node.isNull();
    }

    private void add(String difference) {
        if (found.size() < MOST) {
            found.add(difference);
        } else {
            more++;
        }
    }

    private static String print(@Nullable JsonNode node) {
        String text = node == null ? "absent" : node.toString();
        return text.length() <= LONGEST_VALUE ? text : Texts.storable(text.substring(0, LONGEST_VALUE), 1000) + "…";
    }
}
