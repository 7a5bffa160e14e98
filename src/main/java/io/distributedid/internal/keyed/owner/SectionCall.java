package io.distributedid.internal.keyed.owner;

import io.distributedid.internal.keyed.section.KeyHash;
import java.time.Duration;

/**
 * A caller's question about a key.
 *
 * @param number of the key, as sections know it
 * @param count of the numbers to take; 0 to read the last one
 * @param began when the caller began, by {@link System#nanoTime}
 * @param timeout from then on
 */
record SectionCall(String key, long number, int section, int count, long began, Duration timeout) {

    private static final int MOST_DIGITS = 19;

    static SectionCall of(String key, int count, int sections, long began, Duration timeout) {
        long number = number(key);
        return new SectionCall(key, number, KeyHash.section(number, sections), count, began, timeout);
    }

    /** A text that is a whole number in decimal form is the key of that number. */
    static long number(String key) {
        boolean isNumber = key.length() <= MOST_DIGITS
                && (key.length() == 1 || key.charAt(0) != '0')
                && key.chars().allMatch(each -> each >= '0' && each <= '9');
        if (!isNumber) {
            return KeyHash.text(key);
        }
        long number = 0;
        for (int i = 0; i < key.length(); i++) {
            number = number * 10 + key.charAt(i) - '0';
        }
        // Of 19 digits, only those above 2^63 - 1 overflow, and to a negative number.
        return number < 0 ? KeyHash.text(key) : number;
    }

    boolean isRead() {
        return count == 0;
    }

    /** In nanoseconds; 0 or less if the time of the caller is over. */
    long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }
}
