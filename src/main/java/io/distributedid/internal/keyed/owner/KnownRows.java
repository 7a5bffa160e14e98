package io.distributedid.internal.keyed.owner;

import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * What this process knows of the rows of a sequence, so that it notices a store that was set back or replaced. It lasts
 * over suspends. An abandoned thread may still add to it: what it has read was in the store. Thread-safe.
 */
final class KnownRows {

    private final AtomicReference<@Nullable SectionRecord> record = new AtomicReference<>();

    /** The largest {@code max} of each section that was read or written. */
    private final AtomicLongArray highest;

    KnownRows(int sections) {
        highest = new AtomicLongArray(sections);
    }

    /** The record that was read first; null before. */
    @Nullable
    SectionRecord record() {
        return record.get();
    }

    void record(SectionRecord found) {
        record.compareAndSet(null, found);
    }

    long highest(int section) {
        return highest.get(section);
    }

    void raise(int section, long max) {
        highest.accumulateAndGet(section, max, Math::max);
    }
}
