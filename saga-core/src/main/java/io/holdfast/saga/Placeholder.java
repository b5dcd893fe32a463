package io.holdfast.saga;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps the build of this module honest until its first real class. */
public final class Placeholder {

    private static final Logger log = LoggerFactory.getLogger(Placeholder.class);

    private Placeholder() {}

    /**
     * Says the project's name.
     *
     * @return the name
     */
    public static String name() {
        log.debug("asked for the name");
        return "Holdfast";
    }
}
