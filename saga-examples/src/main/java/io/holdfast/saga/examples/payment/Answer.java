package io.holdfast.saga.examples.payment;

import java.util.Map;

/** What the server says: an HTTP status and what becomes its JSON body. */
record Answer(int status, Object body) {
    static Answer of(Object body) {
        return new Answer(200, body);
    }

    static Answer refused(int status, String why) {
        return new Answer(status, Map.of("error", why));
    }
}
