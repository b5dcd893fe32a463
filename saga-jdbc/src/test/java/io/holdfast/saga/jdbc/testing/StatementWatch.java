package io.holdfast.saga.jdbc.testing;

import java.io.EOFException;
import java.util.HashMap;
import java.util.Map;

/** Follows one client's messages to tell which statement each of them executes. */
final class StatementWatch {

    private final Map<String, String> prepared = new HashMap<>();
    private final Map<String, String> portals = new HashMap<>();

    /** The text of the statement this message executes, or null when it executes none. */
    String executes(Frame frame) throws EOFException {
        return switch (frame.type()) {
            case 'Q' -> frame.text(0);
            case 'E' -> portals.get(frame.text(0));
            case 'P' -> {
                prepared.put(frame.text(0), frame.text(1));
                yield null;
            }
            case 'B' -> {
                portals.put(frame.text(0), prepared.get(frame.text(1)));
                yield null;
            }
            default -> null;
        };
    }
}
