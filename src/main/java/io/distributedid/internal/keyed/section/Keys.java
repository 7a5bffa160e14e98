package io.distributedid.internal.keyed.section;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a section, each with how often it was incremented above a common base. Keys are spread by hash over
 * {@value #TABLES} tables: see {@link KeyTable}.
 *
 * <p>Thread-safe. The increment of a key that is known is a compare-and-set. A new key, and a key whose table grows at
 * the moment, take the lock of their table.
 */
final class Keys {

    /** The number would be above {@code max}; nothing was incremented. */
    static final long ABOVE_MAX = -1;

    /** There is no memory for another key, the key counts no further, or all keys were dropped. */
    static final long FULL = -2;

    /** So few that the heads of the tables of all sections stay in the processor's cache. */
    private static final int TABLE_BITS = 4;

    private static final int TABLES = 1 << TABLE_BITS;

    private static final VarHandle TABLE = MethodHandles.arrayElementVarHandle(KeyTable[].class);

    private final long base;

    private final KeyMemory memory;

    private final @Nullable KeyTable[] tables = new KeyTable[TABLES];

    /** Of each table. */
    private final ReentrantLock[] locks = new ReentrantLock[TABLES];

    /** Changed under the lock of a table only, except for its reset. */
    private final AtomicLong bytes = new AtomicLong();

    private volatile boolean isDropped;

    Keys(long base, KeyMemory memory) {
        this.base = base;
        this.memory = memory;
        for (int i = 0; i < TABLES; i++) {
            locks[i] = new ReentrantLock();
        }
    }

    KeyMemory memory() {
        return memory;
    }

    /** What the tables take. */
    long bytes() {
        return bytes.get();
    }

    /**
     * Increments a key.
     *
     * @param count 1 or more
     * @param max the base or more
     * @return the number of the key, from the base + {@code count} to {@code max}; or the reason why there is none
     */
    long next(long key, int count, long max) {
        long room = max - base;
        long hash = KeyTable.hash(key);
        KeyTable table = table(index(hash));
        long offset = table == null ? KeyTable.ABSENT : table.add(key, hash, count, room);
        if (offset == KeyTable.ABSENT || offset == KeyTable.MOVING) {
            offset = addLocked(key, hash, count, room);
        }
        return offset >= 0 ? base + offset : offset == KeyTable.ABOVE ? ABOVE_MAX : FULL;
    }

    private static int index(long hash) {
        return (int) (hash >>> (Long.SIZE - TABLE_BITS));
    }

    private @Nullable KeyTable table(int index) {
        return (KeyTable) TABLE.getVolatile(tables, index);
    }

    /** Under the lock no key moves. */
    private long addLocked(long key, long hash, int count, long room) {
        int index = index(hash);
        ReentrantLock lock = locks[index];
        lock.lock();
        try {
            KeyTable table = table(index);
            long offset = table == null ? KeyTable.ABSENT : table.add(key, hash, count, room);
            if (offset != KeyTable.ABSENT) {
                return offset;
            }
            if (count > room) {
                return KeyTable.ABOVE;
            }
            if (isDropped) {
                return KeyTable.FULL;
            }
            if (table == null || table.isFull()) {
                KeyTable larger = KeyTable.room(table);
                if (!take(larger.bytes() - (table == null ? 0 : table.bytes()))) {
                    return KeyTable.FULL;
                }
                if (table != null) {
                    table.moveTo(larger);
                }
                TABLE.setVolatile(tables, index, larger);
                table = larger;
            }
            return insert(table, key, hash, count);
        } finally {
            lock.unlock();
        }
    }

    private long insert(KeyTable table, long key, long hash, int count) {
        if (!table.isPageDue(key, hash)) {
            table.insert(key, hash, count);
            return count;
        }
        long more = table.bytesOfNextPage();
        if (!take(more)) {
            return KeyTable.FULL;
        }
        table.insertPage(key, hash, count);
        return count;
    }

    private boolean take(long more) {
        if (!memory.take(more)) {
            return false;
        }
        bytes.addAndGet(more);
        return true;
    }

    /** The number of a key, or the base if it has none; at least as large as each that was given before this call. */
    long current(long key) {
        long hash = KeyTable.hash(key);
        int index = index(hash);
        KeyTable table = table(index);
        long offset = table == null ? KeyTable.ABSENT : table.get(key, hash);
        if (offset == KeyTable.MOVING) {
            ReentrantLock lock = locks[index];
            lock.lock();
            try {
                table = table(index);
                offset = table == null ? KeyTable.ABSENT : table.get(key, hash);
            } finally {
                lock.unlock();
            }
        }
        return base + Math.max(0, offset);
    }

    /** Gives the memory back. Calls that go on take none any more. Called once. */
    @SuppressWarnings("LockNotBeforeTry") // Only waits for the calls that hold a lock.
    void drop() {
        isDropped = true;
        for (ReentrantLock lock : locks) {
            lock.lock();
            lock.unlock();
        }
        memory.give(bytes.getAndSet(0));
    }
}
