package io.holdfast.saga.internal;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;

/** Fingerprints, ids and keys. SHA-256 as of FIPS 180-4; ids are UUIDs of version 8 (RFC 9562). */
final class Digests {
    private Digests() {}

    static String sha256(String text) {
        return HexFormat.of().formatHex(digest(text));
    }

    /** The id of a saga: length-prefixed, so that no two pairs of type and key run together. */
    static UUID sagaId(String typeName, String businessKey) {
        ByteBuffer hash = ByteBuffer.wrap(digest(typeName.length() + ":" + typeName + businessKey));
        long high = (hash.getLong() & ~0xF000L) | 0x8000L;
        long low = (hash.getLong() & 0x3FFF_FFFF_FFFF_FFFFL) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    /** An idempotency key: from incarnation, step and direction, never from the attempt, the node or the saga's id. */
    static String idempotencyKey(UUID incarnation, String step, String direction) {
        return sha256(incarnation + "|" + step + "|" + direction).substring(0, 40);
    }

    private static byte[] digest(String text) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
