package io.distributedid.internal.keyed.section;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The places of a {@link KeyTable}: a key and its counter each. Two places are three longs of one array: the keys of
 * both, then a long with the counters of both. So the processor fetches a key together with its counter.
 *
 * <p>Thread-safe, lock-free.
 */
final class KeyPlaces {

    /** The bit of a counter that went elsewhere. */
    static final int MOVED = 1 << 31;

    private static final long LOW = 0xFFFFFFFFL;

    private static final VarHandle LONGS = MethodHandles.arrayElementVarHandle(long[].class);

    private final int size;

    private final long[] array;

    /** @param size of places; an odd one is rounded up */
    KeyPlaces(int size) {
        this.size = size + (size & 1);
        array = new long[this.size / 2 * 3];
    }

    int size() {
        return size;
    }

    long bytes() {
        return 8L * array.length;
    }

    /** The place after this one; after the last, the first. */
    int next(int place) {
        return place + 1 == size ? 0 : place + 1;
    }

    /** The key; 0 if the place is free. */
    long key(int place) {
        return (long) LONGS.getAcquire(array, place + place / 2);
    }

    /** Publishes the key, and the counter that was set before. */
    void setKey(int place, long key) {
        LONGS.setRelease(array, place + place / 2, key);
    }

    private static int pair(int place) {
        return place / 2 * 3 + 2;
    }

    private static int shift(int place) {
        return (place & 1) * Integer.SIZE;
    }

    /** The counter; negative if it went elsewhere. */
    int counter(int place) {
        return (int) ((long) LONGS.getVolatile(array, pair(place)) >>> shift(place));
    }

    /** Adds to the counter: see {@link KeyTable#add}. */
    long add(int place, int count, long room) {
        int pair = pair(place);
        int shift = shift(place);
        long both = (long) LONGS.getVolatile(array, pair);
        while (true) {
            long after = KeyTable.sum((int) (both >>> shift), count, room);
            if (after < 0) {
                return after;
            }
            long found = (long) LONGS.compareAndExchange(array, pair, both, both + ((long) count << shift));
            if (found == both) {
                return after;
            }
            both = found;
        }
    }

    /** Sets a counter that no other thread changes: a new one, or one that was moved. */
    void setCounter(int place, int counter) {
        int pair = pair(place);
        int shift = shift(place);
        long both = (long) LONGS.getVolatile(array, pair);
        while (true) {
            long changed = (both & ~(LOW << shift)) | ((counter & LOW) << shift);
            long found = (long) LONGS.compareAndExchange(array, pair, both, changed);
            if (found == both) {
                return;
            }
            both = found;
        }
    }

    /** Ends the changes of a counter, and returns it. */
    int moved(int place) {
        int shift = shift(place);
        long bit = (MOVED & LOW) << shift;
        return (int) ((long) LONGS.getAndBitwiseOr(array, pair(place), bit) >>> shift) & ~MOVED;
    }
}
