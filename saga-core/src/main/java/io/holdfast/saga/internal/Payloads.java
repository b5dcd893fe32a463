package io.holdfast.saga.internal;

import io.holdfast.saga.PayloadException;
import io.holdfast.saga.SagaError;
import io.holdfast.saga.spi.PayloadCodec;
import java.util.regex.Pattern;

/** The codec, with everything checked that PostgreSQL would refuse, and every failure given a code. */
public final class Payloads {
    /** An escaped NUL or surrogate, preceded by an even number of backslashes. */
    private static final Pattern ESCAPE =
            Pattern.compile("(?<!\\\\)(?:\\\\\\\\)*\\\\u(0000|[dD][89a-fA-F][0-9a-fA-F]{2})");

    private final PayloadCodec codec;
    private final int maxChars;

    /** A codec with a limit. */
    public Payloads(PayloadCodec codec, int maxChars) {
        this.codec = codec;
        this.maxChars = maxChars;
    }

    /** To JSON that can be stored; {@code what} names it in messages. */
    public String encode(String what, Object value) {
        if (value instanceof Receipt receipt) {
            return receipt.json();
        }
        String json;
        try {
            json = codec.encode(value);
        } catch (RuntimeException | StackOverflowError e) {
            throw new PayloadException(
                    SagaError.PAYLOAD_NOT_STORABLE,
                    what + " of " + value.getClass().getName() + " cannot be written as JSON",
                    e);
        }
        check(what, json);
        return json;
    }

    private void check(String what, String json) {
        if (json.length() > maxChars) {
            throw new PayloadException(
                    SagaError.PAYLOAD_TOO_LARGE,
                    what + " has " + json.length() + " characters of JSON; the limit is " + maxChars
                            + "; store it elsewhere and pass a reference");
        }
        if (!Texts.isStorable(json) || hasBadEscape(json)) {
            throw new PayloadException(
                    SagaError.PAYLOAD_NOT_STORABLE,
                    what + " contains a NUL character or an unpaired surrogate, which PostgreSQL cannot store");
        }
    }

    /** Escaped surrogates that pair up are fine; a NUL or a half of a pair is not. */
    private static boolean hasBadEscape(String json) {
        if (json.indexOf("\\u") < 0) {
            return false;
        }
        StringBuilder plain = new StringBuilder();
        var matcher = ESCAPE.matcher(json);
        int from = 0;
        while (matcher.find()) {
            plain.append(json, from, matcher.start(1) - 2).append((char) Integer.parseInt(matcher.group(1), 16));
            from = matcher.end();
        }
        plain.append(json, from, json.length());
        return !Texts.isStorable(plain.toString());
    }

    /** From JSON; {@code what} names it in messages. */
    public <T> T decode(String what, String json, Class<T> type) {
        if (type == Receipt.class) {
            return type.cast(new Receipt(json));
        }
        try {
            return codec.decode(json, type);
        } catch (RuntimeException | LinkageError e) {
            throw new PayloadException(SagaError.PAYLOAD_UNREADABLE, what + " cannot be read as " + type.getName(), e);
        }
    }

    /** The fingerprint of what makes two starts the same. */
    String fingerprint(Object identity) {
        try {
            return Digests.sha256(codec.canonical(identity));
        } catch (RuntimeException | StackOverflowError e) {
            throw new PayloadException(
                    SagaError.PAYLOAD_NOT_STORABLE,
                    "identity of " + identity.getClass().getName() + " cannot be written as JSON",
                    e);
        }
    }
}
