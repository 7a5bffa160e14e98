package io.distributedid.internal.keyed.source;

/**
 * Keys as 64-bit numbers, and the section of each. Every process and every release computes the same: the tests hold
 * its values.
 */
public final class KeyHash {

    /** As many keys that follow each other are in one section, so that its memory holds them side by side. */
    private static final int NEIGHBOUR_BITS = 10;

    private static final long A = 0x9E3779B97F4A7C15L;

    private static final long B = 0xD1342543DE82EF95L;

    private static final int TEXT_BITS = 62;

    private static final int MOST_DIGITS = 19;

    private KeyHash() {}

    /** The number of a key: of a whole number in decimal form itself, or that of the text. */
    public static long number(String key) {
        boolean isNumber = key.length() <= MOST_DIGITS
                && (key.length() == 1 || key.charAt(0) != '0')
                && key.chars().allMatch(each -> each >= '0' && each <= '9');
        if (!isNumber) {
            return text(key);
        }
        long number = 0;
        for (int i = 0; i < key.length(); i++) {
            number = number * 10 + key.charAt(i) - '0';
        }
        // Of 19 digits, only those above 2^63 - 1 overflow, and to a negative number.
        return number < 0 ? text(key) : number;
    }

    /**
     * The number of a text, from -2^63 to -2^62 - 1. Texts may share a number, and then count together: each still gets
     * numbers of its own that grow.
     *
     * @param text not a whole number in decimal form: that one is its own number
     */
    public static long text(String text) {
        long hash = A + text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * B;
            hash ^= hash >>> 31;
        }
        return Long.MIN_VALUE | (mixed(hash) >>> (Long.SIZE - TEXT_BITS));
    }

    /**
     * The section of a key, from 0 to {@code sections} - 1.
     *
     * @param key a number from 0 up, or that of a text
     */
    public static int section(long key, int sections) {
        if (sections < 1) {
            throw new IllegalArgumentException("The number of sections must be 1 or more: sections=" + sections);
        }
        return (int) (((mixed((key >> NEIGHBOUR_BITS) + A) >>> Integer.SIZE) * sections) >>> Integer.SIZE);
    }

    /** Every bit of the result depends on every bit of the number. */
    public static long mixed(long number) {
        long mixed = (number ^ number >>> 32) * A;
        mixed = (mixed ^ mixed >>> 29) * B;
        return mixed ^ mixed >>> 32;
    }
}
