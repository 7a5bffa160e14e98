package io.distributedid.internal.keyed.served;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that the keys of all sections of a process take. Thread-safe. */
public final class KeyMemory {

    /** Keys should be dropped when this part of the memory is free at most. */
    private static final int SPARE = 8;

    private final long limit;

    private final AtomicLong used = new AtomicLong();

    /** @param limit in bytes, 1 or more */
    public KeyMemory(long limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("The memory for keys must be 1 byte or more: bytes=" + limit);
        }
        this.limit = limit;
    }

    /** Whether as many bytes are left. Threads that ask at once may get them together. */
    boolean has(long bytes) {
        return bytes <= limit - used.get();
    }

    /** @param bytes negative if they are given back */
    void take(long bytes) {
        used.addAndGet(bytes);
    }

    long used() {
        return used.get();
    }

    /** Whether the keys of a section should be dropped soon. */
    boolean isScarce() {
        return used.get() > limit - limit / SPARE;
    }
}
