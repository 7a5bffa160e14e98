package io.distributedid.internal.keyed.section;

import java.util.concurrent.atomic.AtomicLong;

/** The bytes that the keys of all sections of a process may take. Thread-safe, lock-free. */
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

    /** Returns false, and takes nothing, if fewer bytes than these are left. Accepts negative bytes: they are given. */
    boolean take(long bytes) {
        long before = used.get();
        while (bytes <= limit - before) {
            long found = used.compareAndExchange(before, before + bytes);
            if (found == before) {
                return true;
            }
            before = found;
        }
        return false;
    }

    void give(long bytes) {
        used.addAndGet(-bytes);
    }

    public long used() {
        return used.get();
    }

    /** Whether the keys of a section should be dropped soon. */
    public boolean isScarce() {
        return used.get() > limit - limit / SPARE;
    }
}
