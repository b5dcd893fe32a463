package io.holdfast.saga.jdbc;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.internal.Checks;
import io.holdfast.saga.jdbc.internal.CanonicalJson;
import io.holdfast.saga.jdbc.internal.NoClassNames;
import io.holdfast.saga.spi.PayloadCodec;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.cfg.DateTimeFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Data and results as JSON, with Jackson: what {@link JdbcSagas} uses unless it is given another codec. Immutable and threadsafe.
 *
 * <p>What is read is decided by the declared class alone. Stored data never names a class: a mapper with default typing is
 * refused, and so is a property that is annotated to be read by class name. Sealed interfaces whose subtypes have logical
 * names ({@code @JsonTypeInfo(use = NAME)}) are fine.
 *
 * <p>Unknown properties are ignored, so that an older build can go on with what a newer one began. A missing property becomes
 * null, empty for an {@code Optional}, or a primitive's zero: a property that is added later is better a reference type, which
 * tells "not known" from 0. Null for a primitive is an error (SAGA-503).
 *
 * <p>Generic content round-trips when its full type is declared, in a record for example: {@code List<Long>}, {@code Map<UUID,
 * BigDecimal>}, {@code Optional<Instant>}. A component declared as {@code Object} comes back as whatever JSON calls it. PostgreSQL
 * keeps the digits of a number and not its notation: a {@code BigDecimal} of negative scale (1E+3) comes back as 1000.
 *
 * <p>In an application of named modules, open the packages of data and results to {@code tools.jackson.databind}.
 */
public final class JacksonCodec implements PayloadCodec {
    private final JsonMapper mapper;
    private final CanonicalJson canonical;

    private JacksonCodec(JsonMapper mapper) {
        this.mapper = mapper;
        this.canonical = new CanonicalJson(mapper);
    }

    /**
     * A codec with Jackson's defaults, except that times keep their zone and offset.
     *
     * @return a codec
     */
    public static JacksonCodec standard() {
        return of(JsonMapper.builder()
                .disable(DateTimeFeature.ADJUST_DATES_TO_CONTEXT_TIME_ZONE)
                .enable(DateTimeFeature.WRITE_DATES_WITH_ZONE_ID)
                .build());
    }

    /**
     * A codec with the application's own mapper: its modules, names, formats. Three of its settings are replaced: unknown
     * properties are ignored, null for a primitive fails, and classes are never read by name.
     *
     * @param mapper not changed; never null
     * @return a codec
     * @throws SagaDefinitionException when it is null (SAGA-106) or has default typing activated (SAGA-121)
     */
    public static JacksonCodec of(JsonMapper mapper) {
        Checks.notNull("JSON mapper", mapper);
        refuseDefaultTyping(mapper);
        return new JacksonCodec(mapper.rebuild()
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                .polymorphicTypeValidator(new NoClassNames())
                .build());
    }

    private static void refuseDefaultTyping(JsonMapper mapper) {
        var any = mapper.constructType(Object.class);
        if (mapper.deserializationConfig().getDefaultTyper(any) != null
                || mapper.serializationConfig().getDefaultTyper(any) != null) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_SETTING,
                    "a JSON mapper with default typing is refused: whoever can write the stored data could choose the"
                            + " classes that are loaded; give subtypes logical names instead, @JsonTypeInfo(use = NAME)");
        }
    }

    @Override
    public String encode(Object value) {
        return mapper.writeValueAsString(value);
    }

    @Override
    public <T> T decode(String json, Class<T> type) {
        T value = mapper.readValue(json, type);
        if (value == null) {
            throw new IllegalArgumentException("the stored JSON is null");
        }
        return value;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Sets are sorted too, and numbers compared by value: 1, 1.0 and 1.00 are the same. The order of lists counts.
     */
    @Override
    public String canonical(Object value) {
        return canonical.of(value);
    }
}
