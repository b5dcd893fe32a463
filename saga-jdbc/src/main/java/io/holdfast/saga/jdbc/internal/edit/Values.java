package io.holdfast.saga.jdbc.internal.edit;

import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import io.holdfast.saga.internal.Texts;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Values of the application as texts that the database reads in the type of the column beside them. */
final class Values {
    private Values() {}

    static @Nullable String text(String what, @Nullable Object value) {
        if (value == null) {
            return null;
        }
        String text = printed(value);
        if (text == null) {
            throw new SagaUsageException(
                    SagaError.VALUE_INVALID,
                    what + " of " + value.getClass().getName()
                            + " cannot be bound; give a String, Number, Boolean, UUID, enum,"
                            + " Instant, OffsetDateTime, LocalDate or LocalDateTime");
        }
        if (!Texts.isStorable(text)) {
            throw new SagaUsageException(
                    SagaError.VALUE_INVALID,
                    what + " contains a NUL character or an unpaired surrogate, which PostgreSQL cannot store");
        }
        return text;
    }

    private static @Nullable String printed(Object value) {
        if (value instanceof BigDecimal number) {
            return number.toPlainString();
        }
        if (value instanceof Enum<?> constant) {
            return constant.name();
        }
        if (value instanceof Instant instant) {
            return instant.atOffset(ZoneOffset.UTC).toString();
        }
        boolean plain = value instanceof String
                || value instanceof Number
                || value instanceof Boolean
                || value instanceof UUID
                || value instanceof OffsetDateTime
                || value instanceof LocalDate
                || value instanceof LocalDateTime;
        return plain ? value.toString() : null;
    }
}
