package io.holdfast.saga.examples.crash;

/**
 * Where a process is to die.
 *
 * @param act at what
 * @param number at the how manyth of them, from 1
 * @param moment on which side of it
 */
record CrashPoint(Act act, int number, Moment moment) {
    /** What a saga's life is made of, seen from outside. */
    enum Act {
        COMMIT,
        CALL
    }

    /** Before it, or after it and before its answer is acted upon. */
    enum Moment {
        BEFORE,
        AFTER
    }

    static CrashPoint parse(String text) {
        var parts = text.split(",", 3);
        return new CrashPoint(Act.valueOf(parts[0]), Integer.parseInt(parts[1]), Moment.valueOf(parts[2]));
    }

    @Override
    public String toString() {
        return act + "," + number + "," + moment;
    }
}
