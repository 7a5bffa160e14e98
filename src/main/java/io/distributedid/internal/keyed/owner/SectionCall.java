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

    static SectionCall of(String key, int count, int sections, long began, Duration timeout) {
        long number = KeyHash.number(key);
        return new SectionCall(key, number, KeyHash.section(number, sections), count, began, timeout);
    }

    boolean isRead() {
        return count == 0;
    }

    /** In nanoseconds; 0 or less if the time of the caller is over. */
    long left() {
        return timeout.toNanos() - (System.nanoTime() - began);
    }
}
