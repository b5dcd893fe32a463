package io.holdfast.saga.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DefaultTyping;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.jsontype.BasicPolymorphicTypeValidator;

class JacksonCodecTest {
    private static final UUID ID = UUID.fromString("0190163d-8694-739b-aea5-966c26f8ad91");

    private final JacksonCodec codec = JacksonCodec.standard();

    record Box<T>(T content, List<T> more) {}

    record Generic(
            List<Long> longs,
            Map<UUID, BigDecimal> amounts,
            Optional<Instant> at,
            Optional<Duration> absent,
            Box<Map<String, List<Optional<Long>>>> nested) {}

    record Times(Instant instant, LocalDate date, OffsetDateTime offset, ZonedDateTime zoned, Duration duration) {}

    private <T> T roundTrip(T value, Class<T> type) {
        return codec.decode(codec.encode(value), type);
    }

    @Test
    @DisplayName("B91: generic content of a record comes back identical")
    void generic_content_of_a_record_comes_back_identical() {
        var value = new Generic(
                List.of(1L, Long.MAX_VALUE),
                Map.of(ID, new BigDecimal("12345678901234567890.1234567890")),
                Optional.of(Instant.parse("2026-01-02T03:04:05.123456789Z")),
                Optional.empty(),
                new Box<>(Map.of("a", List.of(Optional.of(1L))), List.of(Map.of())));

        var back = roundTrip(value, Generic.class);

        assertThat(back).isEqualTo(value);
        long unboxed =
                back.longs().get(0) + back.nested().content().get("a").get(0).orElseThrow();
        assertThat(unboxed).isEqualTo(2);
    }

    @Test
    @DisplayName("B91: times come back with their zone, offset and nanoseconds")
    void times_come_back_with_zone_offset_and_nanoseconds() {
        var value = new Times(
                Instant.parse("2026-01-02T03:04:05.000000001Z"),
                LocalDate.parse("2026-01-02"),
                OffsetDateTime.parse("2026-01-02T03:04:05+05:30"),
                ZonedDateTime.of(2026, 7, 2, 3, 4, 5, 6, ZoneId.of("Asia/Tokyo")),
                Duration.ofNanos(1_000_000_001));

        assertThat(roundTrip(value, Times.class)).isEqualTo(value);
    }

    @Test
    @DisplayName("B91: a BigDecimal keeps its scale")
    void a_big_decimal_keeps_its_scale() {
        assertThat(roundTrip(new BigDecimal("1.500"), BigDecimal.class)).isEqualTo(new BigDecimal("1.500"));
    }

    record OrderV1(String orderId) {}

    record OrderV2(String orderId, @Nullable String channel, Optional<String> note) {}

    record OrderV3(String orderId, int copies) {}

    @Test
    @DisplayName("B90: an older build ignores what it does not know")
    void an_older_build_ignores_what_it_does_not_know() {
        String newer = codec.encode(new OrderV2("o1", "web", Optional.of("fragile")));

        assertThat(codec.decode(newer, OrderV1.class)).isEqualTo(new OrderV1("o1"));
    }

    @Test
    @DisplayName("B90: what an older build did not write is null or empty")
    void what_an_older_build_did_not_write_is_null_or_empty() {
        String older = codec.encode(new OrderV1("o1"));

        assertThat(codec.decode(older, OrderV2.class)).isEqualTo(new OrderV2("o1", null, Optional.empty()));
    }

    @Test
    @DisplayName("B90: a primitive that an older build did not write is its default, and null for one is an error")
    void a_missing_primitive_is_its_default_and_null_for_one_is_an_error() {
        assertThat(codec.decode("{\"orderId\":\"o1\"}", OrderV3.class)).isEqualTo(new OrderV3("o1", 0));
        assertThatThrownBy(() -> codec.decode("{\"orderId\":\"o1\",\"copies\":null}", OrderV3.class))
                .isInstanceOf(JacksonException.class)
                .hasMessageContaining("copies");
    }

    @Test
    @DisplayName("B90: these rules hold with the application's own mapper too")
    void the_rules_hold_with_the_applications_own_mapper_too() {
        var own = JacksonCodec.of(JsonMapper.builder()
                .enable(tools.jackson.databind.DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .disable(tools.jackson.databind.DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .build());

        assertThat(own.decode("{\"orderId\":\"o1\",\"x\":1}", OrderV1.class)).isEqualTo(new OrderV1("o1"));
        assertThatThrownBy(() -> own.decode("{\"orderId\":\"o1\",\"copies\":null}", OrderV3.class))
                .isInstanceOf(JacksonException.class);
    }

    @Test
    void stored_null_is_refused() {
        assertThatThrownBy(() -> codec.decode("null", OrderV1.class)).isInstanceOf(IllegalArgumentException.class);
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME)
    @JsonSubTypes({
        @JsonSubTypes.Type(value = Card.class, name = "card"),
        @JsonSubTypes.Type(value = Cash.class, name = "cash")
    })
    sealed interface Payment {}

    record Card(String token) implements Payment {}

    record Cash() implements Payment {}

    record Paid(Payment payment, List<Payment> others) {}

    @Test
    void subtypes_with_logical_names_come_back() {
        var value = new Paid(new Card("t"), List.of(new Cash(), new Card("u")));

        assertThat(roundTrip(value, Paid.class)).isEqualTo(value);
    }

    @Test
    @DisplayName("B90: a subtype that this build does not know is an error")
    void an_unknown_subtype_is_an_error() {
        String newer = codec.encode(new Paid(new Cash(), List.of())).replace("cash", "coupon");

        assertThatThrownBy(() -> codec.decode(newer, Paid.class)).isInstanceOf(JacksonException.class);
    }

    static final AtomicBoolean PROBED = new AtomicBoolean();

    interface Plugin {}

    /** Must never be initialised. */
    public static final class Probe implements Plugin {
        static {
            PROBED.set(true);
        }
    }

    record Anything(Object content) {}

    record ByClassName(
            @JsonTypeInfo(use = JsonTypeInfo.Id.CLASS) Plugin content) {}

    private static final String PROBE_NAME = JacksonCodecTest.class.getName() + "$Probe";

    @Test
    @DisplayName("B126: stored data cannot choose the class, whatever it says")
    void stored_data_cannot_choose_the_class() {
        String named = "{\"content\":{\"@class\":\"" + PROBE_NAME + "\"}}";
        String wrapped = "{\"content\":[\"" + PROBE_NAME + "\",{}]}";

        assertThat(codec.decode(named, Anything.class).content()).isInstanceOf(Map.class);
        assertThat(codec.decode(wrapped, Anything.class).content()).isInstanceOf(List.class);
        assertThat(codec.decode("{\"orderId\":\"o1\",\"@class\":\"" + PROBE_NAME + "\"}", OrderV1.class))
                .isEqualTo(new OrderV1("o1"));
        assertThatThrownBy(() -> codec.decode(named, ByClassName.class)).isInstanceOf(JacksonException.class);
        assertThat(PROBED).isFalse();
    }

    @Test
    @DisplayName("B126: a mapper with default typing is refused")
    void a_mapper_with_default_typing_is_refused() {
        var lax = BasicPolymorphicTypeValidator.builder()
                .allowIfBaseType(Object.class)
                .build();
        var mapper = JsonMapper.builder()
                .activateDefaultTyping(lax, DefaultTyping.NON_FINAL)
                .build();

        assertThatThrownBy(() -> JacksonCodec.of(mapper))
                .isInstanceOfSatisfying(
                        SagaDefinitionException.class,
                        e -> assertThat(e.error()).isEqualTo(SagaError.INVALID_SETTING))
                .hasMessageContaining("default typing");
    }

    @Test
    void a_missing_mapper_is_refused() {
        assertThatThrownBy(() -> JacksonCodec.of(null)).hasMessageContaining("SAGA-106");
    }

    record Ordered(String a, @Nullable Integer b, BigDecimal c) {}

    record OtherOrder(BigDecimal c, String a) {}

    @Test
    void the_canonical_form_does_not_depend_on_the_order_of_fields_nor_on_nulls() {
        String one = codec.canonical(new Ordered("x", null, new BigDecimal("1.50")));

        assertThat(one).isEqualTo(codec.canonical(new OtherOrder(new BigDecimal("1.5"), "x")));
        assertThat(one).isEqualTo("{\"a\":\"x\",\"c\":1.5}");
    }

    @Test
    void the_canonical_form_does_not_depend_on_the_order_of_declaration_when_the_mapper_sorts_otherwise() {
        var sorting = JacksonCodec.of(JsonMapper.builder()
                .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                .build());
        var value = new OtherOrder(BigDecimal.TEN, "x");

        assertThat(sorting.canonical(value)).isEqualTo(codec.canonical(value));
    }

    @Test
    void the_canonical_form_does_not_depend_on_the_order_of_map_entries_and_set_elements() {
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("b", 1);
        map.put("a", Optional.empty());
        Map<String, Object> same = new LinkedHashMap<>();
        same.put("a", Optional.empty());
        same.put("b", 1L);
        Set<Ordered> set =
                new LinkedHashSet<>(List.of(new Ordered("y", 2, BigDecimal.ONE), new Ordered("x", 1, BigDecimal.ONE)));
        Set<Ordered> sameSet =
                new LinkedHashSet<>(List.of(new Ordered("x", 1, BigDecimal.ONE), new Ordered("y", 2, BigDecimal.ONE)));

        assertThat(codec.canonical(map)).isEqualTo(codec.canonical(same));
        assertThat(codec.canonical(new Box<>(set, List.of(set))))
                .isEqualTo(codec.canonical(new Box<>(sameSet, List.of(sameSet))));
    }

    @Test
    void the_canonical_form_compares_numbers_by_value_and_lists_in_order() {
        assertThat(codec.canonical(List.of(1000, 0.0, 1.0d)))
                .isEqualTo(codec.canonical(List.of(new BigDecimal("1E+3"), new BigDecimal("-0.00"), 1L)));
        assertThat(codec.canonical(List.of(1, 2))).isNotEqualTo(codec.canonical(List.of(2, 1)));
        assertThat(codec.canonical(List.of("1"))).isNotEqualTo(codec.canonical(List.of(1)));
        assertThat(codec.canonical(Double.NaN)).isNotEqualTo(codec.canonical(Double.POSITIVE_INFINITY));
    }

    record Tag(Optional<String> value, Map<String, Box<Long>> boxes) {}

    @Test
    void the_canonical_form_tells_different_values_apart_at_any_depth() {
        var one = new Tag(Optional.of("x"), Map.of("k", new Box<>(1L, List.of(2L))));
        var other = new Tag(Optional.of("x"), Map.of("k", new Box<>(1L, List.of(3L))));

        assertThat(codec.canonical(one)).isNotEqualTo(codec.canonical(other));
        assertThat(codec.canonical(one)).isEqualTo(codec.canonical(roundTrip(one, Tag.class)));
    }

    @Test
    @DisplayName("B82: emoji come back, and what cannot be stored is left for the engine to refuse, not lost")
    void text_is_not_altered() {
        for (String text : List.of("😀", "a\u0000b", "\\u0000", "\"quoted\"", "\u2028")) {
            assertThat(roundTrip(new OrderV1(text), OrderV1.class).orderId()).isEqualTo(text);
        }
    }
}
