package io.holdfast.saga.internal;

/** What PostgreSQL can store as text: no NUL, no unpaired surrogate. */
public final class Texts {
    private static final char REPLACEMENT = '\uFFFD';

    private Texts() {}

    /** Whether the text can be stored as it is. */
    public static boolean isStorable(String text) {
        return firstBad(text, 0) < 0;
    }

    /** The text with what cannot be stored replaced, cut to a length without cutting a pair. */
    public static String storable(String text, int most) {
        String cut = text.length() <= most
                ? text
                : text.substring(0, Character.isHighSurrogate(text.charAt(most - 2)) ? most - 2 : most - 1) + "…";
        int bad = firstBad(cut, 0);
        if (bad < 0) {
            return cut;
        }
        StringBuilder clean = new StringBuilder(cut);
        while (bad >= 0) {
            clean.setCharAt(bad, REPLACEMENT);
            bad = firstBad(cut, bad + 1);
        }
        return clean.toString();
    }

    /** For messages: short, and without control characters. */
    public static String printable(String text) {
        return storable(text, 120).replaceAll("\\p{Cntrl}", String.valueOf(REPLACEMENT));
    }

    private static int firstBad(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == 0 || isUnpaired(text, i)) {
                return i;
            }
        }
        return -1;
    }

    private static boolean isUnpaired(String text, int i) {
        char c = text.charAt(i);
        if (Character.isHighSurrogate(c)) {
            return i + 1 == text.length() || !Character.isLowSurrogate(text.charAt(i + 1));
        }
        return Character.isLowSurrogate(c) && (i == 0 || !Character.isHighSurrogate(text.charAt(i - 1)));
    }
}
