package io.distributedid.internal.keyed.served;

import io.distributedid.internal.keyed.source.KeyHash;
import java.time.Duration;

/**
 * A caller's question about a key.
 *
 * @param number of the key, as sections know it
 * @param count of the numbers to take; 0 to read the last one
 * @param began when the caller began, by {@link io.distributedid.internal.process.Platform#nanoTime}
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

    /** What is left of the caller's time. In nanoseconds; 0 or less if the time of the caller is over. */
    long left(long now) {
        return timeout.toNanos() - (now - began);
    }
}
