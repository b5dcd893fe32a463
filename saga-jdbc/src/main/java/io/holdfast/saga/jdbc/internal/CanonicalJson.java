package io.holdfast.saga.jdbc.internal;

import java.io.Serial;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.BeanDescription;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationConfig;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.TypeSerializer;
import tools.jackson.databind.module.SimpleModule;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.ser.ValueSerializerModifier;
import tools.jackson.databind.type.CollectionType;

/** JSON text that is the same for equal values, whatever the order of fields, map entries and set elements. Threadsafe. */
public final class CanonicalJson {
    private final JsonMapper mapper;

    /** On the mapper that also writes what is stored. */
    public CanonicalJson(JsonMapper mapper) {
        SimpleModule sets = new SimpleModule("holdfast-canonical-sets");
        sets.setSerializerModifier(new SetsSorted(this));
        this.mapper = mapper.rebuild().addModule(sets).build();
    }

    /** The text. */
    public String of(Object value) {
        return textOf(mapper.valueToTree(value));
    }

    private String textOf(JsonNode tree) {
        return mapper.writeValueAsString(canonical(tree));
    }

    private JsonNode canonical(JsonNode node) {
        if (node.isObject()) {
            return object(node);
        }
        if (node.isArray()) {
            var array = JsonNodeFactory.instance.arrayNode();
            node.forEach(element -> array.add(canonical(element)));
            return array;
        }
        return node.isNumber() ? number(node) : node;
    }

    private JsonNode object(JsonNode node) {
        var object = JsonNodeFactory.instance.objectNode();
        node.properties().stream()
                .filter(property -> !property.getValue().isNull())
                .sorted(Map.Entry.comparingByKey())
                .forEach(property -> object.set(property.getKey(), canonical(property.getValue())));
        return object;
    }

    /** By value. NaN and the infinities have no decimal value. */
    private static JsonNode number(JsonNode node) {
        return node.decimalValueOpt()
                .map(value -> value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros())
                .<JsonNode>map(JsonNodeFactory.instance::numberNode)
                .orElse(node);
    }

    /** Elements of sets in the order of their canonical texts: the order of {@code Set.of} differs from process to process. */
    private static final class SetsSorted extends ValueSerializerModifier {
        @Serial
        private static final long serialVersionUID = 1L;

        private final transient CanonicalJson canonical;

        SetsSorted(CanonicalJson canonical) {
            this.canonical = canonical;
        }

        @Override
        public ValueSerializer<?> modifyCollectionSerializer(
                SerializationConfig config,
                CollectionType type,
                BeanDescription.Supplier description,
                ValueSerializer<?> serializer) {
            return Set.class.isAssignableFrom(type.getRawClass()) ? new SetSerializer(canonical) : serializer;
        }
    }

    private static final class SetSerializer extends ValueSerializer<Set<?>> {
        private final CanonicalJson canonical;

        SetSerializer(CanonicalJson canonical) {
            this.canonical = canonical;
        }

        @Override
        public void serialize(Set<?> set, JsonGenerator out, SerializationContext context) {
            List<JsonNode> elements = new ArrayList<>();
            set.forEach(element -> elements.add(canonical.canonical(canonical.mapper.valueToTree(element))));
            elements.sort(Comparator.comparing(canonical.mapper::writeValueAsString));
            out.writeStartArray();
            elements.forEach(element -> context.writeTree(out, element));
            out.writeEndArray();
        }

        @Override
        public void serializeWithType(
                Set<?> set, JsonGenerator out, SerializationContext context, TypeSerializer type) {
            serialize(set, out, context);
        }
    }
}
