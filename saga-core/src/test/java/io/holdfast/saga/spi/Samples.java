package io.holdfast.saga.spi;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Sagas to be stored. */
final class Samples {
    static final DefinitionRef DEFINITION = new DefinitionRef("order", 1, "0123456789abcdef0123456789abcdef");
    static final DefinitionRef OTHER_HASH = new DefinitionRef("order", 1, "fedcba9876543210fedcba9876543210");
    static final DefinitionRef OTHER_VERSION = new DefinitionRef("order", 2, "0123456789abcdef0123456789abcdef");
    static final DefinitionRef OTHER_TYPE = new DefinitionRef("refund", 1, "00112233445566778899aabbccddeeff");

    private Samples() {}

    static NewSaga saga(String key) {
        return saga(key, DEFINITION, null);
    }

    static NewSaga saga(String key, Duration deadline) {
        return saga(key, DEFINITION, deadline);
    }

    static NewSaga saga(String key, DefinitionRef definition) {
        return saga(key, definition, null);
    }

    private static NewSaga saga(String key, DefinitionRef definition, @Nullable Duration deadline) {
        UUID sagaId = UUID.nameUUIDFromBytes((definition.typeName() + key).getBytes(StandardCharsets.UTF_8));
        // the data is written as jsonb prints it
        return new NewSaga(
                sagaId, definition, key, "a".repeat(64), UUID.randomUUID(), "{\"amount\": 7}", "first", deadline);
    }

    /** A guard of a driver that is not one any more. */
    static Guard wrong(StoredSaga saga) {
        return new Guard(saga.sagaId(), saga.runSeq() - 1, saga.state(), saga.step(), saga.attempts());
    }
}
