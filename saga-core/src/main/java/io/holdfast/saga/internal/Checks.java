package io.holdfast.saga.internal;

import io.holdfast.saga.SagaDefinitionException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.SagaUsageException;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Refuses what is not valid, at the call that gave it, with the rule in the message. */
public final class Checks {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");

    private Checks() {}

    /** Not null, where it is configured. */
    public static <T> T notNull(String what, @Nullable T value) {
        if (value == null) {
            throw new SagaDefinitionException(SagaError.NULL_ARGUMENT, what + " must not be null");
        }
        return value;
    }

    /** Not null, in a call to the running engine. */
    public static <T> T argument(String what, @Nullable T value) {
        if (value == null) {
            throw new SagaUsageException(SagaError.NULL_ARGUMENT, what + " must not be null");
        }
        return value;
    }

    /** A persisted name. */
    public static String name(String what, @Nullable String given) {
        String name = notNull(what + " name", given);
        if (!NAME.matcher(name).matches()) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_NAME,
                    what + " name \"" + Texts.printable(name) + "\" is refused: 1 to 100 letters, digits, dots, dashes"
                            + " and underscores, beginning with a letter or digit");
        }
        return name;
    }

    /** The version of a type. */
    public static int version(int version) {
        if (version < 1) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_VERSION, "version " + version + " is refused: versions begin at 1");
        }
        return version;
    }

    /** A class that JSON can restore without being told more. */
    public static <T> Class<T> payloadClass(String what, @Nullable Class<T> given) {
        Class<T> type = notNull(what + " class", given);
        String problem = problemWith(type);
        if (problem != null) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_PAYLOAD_CLASS,
                    what + " class " + type.getName() + " is refused: " + problem + "; put it into a record");
        }
        return type;
    }

    private static @Nullable String problemWith(Class<?> type) {
        Class<?> element = type;
        while (element.isArray()) {
            element = element.getComponentType();
        }
        if (type.isPrimitive() || element == Void.class || element == Object.class) {
            return "it says nothing about what is stored";
        }
        return element.getTypeParameters().length > 0 ? "its type parameters are not stored" : null;
    }

    /** A duration within a range. */
    public static Duration duration(String what, @Nullable Duration given, Duration least, Duration most) {
        Duration value = notNull(what, given);
        if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_DURATION, what + " " + value + " is refused: from " + least + " to " + most);
        }
        return value;
    }

    /** A number within a range. */
    public static int limit(String what, int value, int least, int most) {
        if (value < least || value > most) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_LIMIT, what + " " + value + " is refused: from " + least + " to " + most);
        }
        return value;
    }

    /** What makes a saga the same saga. */
    public static String businessKey(@Nullable String given) {
        String key = argument("business key", given);
        if (key.isBlank() || key.length() > 200 || !Texts.isStorable(key)) {
            throw new SagaUsageException(
                    SagaError.INVALID_BUSINESS_KEY,
                    "business key \"" + Texts.printable(key)
                            + "\" is refused: 1 to 200 characters, not blank, without NUL"
                            + " and unpaired surrogates");
        }
        return key;
    }

    /** Why a step need not be undone. */
    public static String why(@Nullable String given) {
        String why = notNull("why no compensation is needed", given);
        if (why.isBlank()) {
            throw new SagaDefinitionException(
                    SagaError.INVALID_LIMIT, "why no compensation is needed must be said: it is blank");
        }
        return why;
    }

    /** Why somebody asks for something. */
    public static String reason(String what, @Nullable String given) {
        String text = argument(what, given);
        if (text.isBlank() || text.length() > 500) {
            throw new SagaUsageException(SagaError.INVALID_LIMIT, what + " is refused: 1 to 500 characters, not blank");
        }
        return Texts.storable(text, 500);
    }
}
