package io.distributedid.internal.keyed.section;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Counters of keys: open addressing with linear probing. A place takes 12 bytes. From 16 of 64 keys in a row they have
 * a page, of 4 bytes a key, and the table holds the page instead.
 *
 * <p><b>Protocol.</b> Keys and pages are inserted, and tables are filled, under a lock of the user. {@link #add} and
 * {@link #get} need none.
 *
 * <ul>
 *   <li>A place is written once: first the counter, then the key. So who reads the key finds its counter.
 *   <li>To move a counter, its highest bit is set in one atomic step that returns its value. From then on no
 *       compare-and-set of it succeeds, and that bit never goes away. The value goes to a page or to a larger table.
 *       Who finds the bit ({@link #MOVING}) takes the lock and looks again.
 *   <li>A page takes over the first place of its keys: first the counter, which gets the page's index and keeps the
 *       highest bit, then the key. So a search finds the page before the places that its keys had.
 *   <li>A counter in a page never moves: a larger table uses the same page.
 * </ul>
 *
 * <p>Keys of the same 64 begin their search at one place, so that one search finds the key or its page.
 */
final class KeyTable {

    static final long ABSENT = -1;

    static final long MOVING = -2;

    /** The counter would exceed the room; it is unchanged. */
    static final long ABOVE = -3;

    /** The counter would exceed 2^31 - 1; it is unchanged. */
    static final long FULL = -4;

    private static final int PAGE_BITS = 6;

    private static final int PAGE = 1 << PAGE_BITS;

    /** As many keys of a page are worth it: they took 12 bytes each, and more with free places. */
    private static final int WORTH_A_PAGE = 16;

    private static final int MOVED = KeyPlaces.MOVED;

    private static final int SMALLEST = 4;

    private static final int PAGE_BYTES = 16 + 4 * PAGE;

    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);

    /** Keys as {@link #stored}. */
    private final KeyPlaces places;

    /** Replaced by a longer array before the index of a page beyond it is published. */
    private int[][] pages;

    private int pageCount;

    private int used;

    /** Places whose counters went to a page. */
    private int abandoned;

    private KeyTable(int places, int[][] pages, int pageCount) {
        this.places = new KeyPlaces(places);
        this.pages = pages;
        this.pageCount = pageCount;
    }

    /** An empty table for all that another one holds, and a few more. It shares the pages. */
    static KeyTable room(@Nullable KeyTable table) {
        if (table == null) {
            return new KeyTable(SMALLEST, new int[0][], 0);
        }
        int live = table.used - table.abandoned;
        // Then 3/5 of the places are used, and the next table follows at 3/4.
        return new KeyTable(Math.max(SMALLEST, (int) (live * 5L / 3 + 2)), table.pages, table.pageCount);
    }

    /** About what the arrays and pages take. */
    long bytes() {
        return 96 + places.bytes() + 4L * pages.length + (long) PAGE_BYTES * pageCount;
    }

    long bytesOfNextPage() {
        return PAGE_BYTES + (pageCount < pages.length ? 0 : 4L * (longer() - pages.length));
    }

    private int longer() {
        return pages.length + pages.length / 4 + 2;
    }

    /** Keys of one page have one hash. */
    static long hash(long key) {
        return KeyHash.mixed(key >> PAGE_BITS);
    }

    /** Never 0: keys are positive, 0, or begin with the bits 10, and pages with 11 and zeros. */
    private static long stored(long key) {
        return ~key;
    }

    /** As {@link #stored}. Texts have no pages: for them it is no key's. */
    private static long storedPage(long key) {
        return key < 0 ? 1 : stored(-1L << 62 | key >> PAGE_BITS);
    }

    private int first(long hash) {
        return (int) (((hash & 0xFFFFFFFFL) * places.size()) >>> Integer.SIZE);
    }

    /** The place of the key or its page; of the free place, less {@link Integer#MAX_VALUE}, if there is neither. */
    private int find(long stored, long page, long hash) {
        int place = first(hash);
        while (true) {
            long found = places.key(place);
            if (found == stored || found == page) {
                return place;
            }
            if (found == 0) {
                return place - Integer.MAX_VALUE;
            }
            place = places.next(place);
        }
    }

    /**
     * Adds to the counter of a key.
     *
     * @return the new value, from {@code count} to {@code room}; or the reason why there is none
     */
    long add(long key, long hash, int count, long room) {
        long stored = stored(key);
        int place = find(stored, storedPage(key), hash);
        if (place < 0) {
            return ABSENT;
        }
        return places.key(place) == stored
                ? places.add(place, count, room)
                : addToPage(page(place), (int) key & PAGE - 1, count, room);
    }

    private int[] page(int place) {
        return pages[places.counter(place) & ~MOVED];
    }

    private static long addToPage(int[] page, int index, int count, long room) {
        int before = (int) INTS.getVolatile(page, index);
        while (true) {
            long after = sum(before, count, room);
            if (after < 0) {
                return after;
            }
            int found = (int) INTS.compareAndExchange(page, index, before, (int) after);
            if (found == before) {
                return after;
            }
            before = found;
        }
    }

    /** The counter after an increment, or the reason why there is none. */
    static long sum(int before, int count, long room) {
        if (before < 0) {
            return MOVING;
        }
        long after = (long) before + count;
        return after > room ? ABOVE : after > Integer.MAX_VALUE ? FULL : after;
    }

    /** The counter of a key; {@link #ABSENT} or {@link #MOVING} without one. */
    long get(long key, long hash) {
        long stored = stored(key);
        int place = find(stored, storedPage(key), hash);
        if (place < 0) {
            return ABSENT;
        }
        if (places.key(place) != stored) {
            return (int) INTS.getVolatile(page(place), (int) key & PAGE - 1);
        }
        int value = places.counter(place);
        return value < 0 ? MOVING : value;
    }

    /** Whether another key needs a larger table, since long searches are slow. */
    boolean isFull() {
        return used + 1 > places.size() * 3L / 4;
    }

    /** Inserts a key that is absent. The table is not full. */
    void insert(long key, long hash, int counter) {
        put(stored(key), storedPage(key), hash, counter);
    }

    private void put(long stored, long page, long hash, int counter) {
        int place = find(stored, page, hash) + Integer.MAX_VALUE;
        places.setCounter(place, counter);
        places.setKey(place, stored);
        used++;
    }

    /** Whether the keys of the page are so many, with one that is absent, that they are to get a page. */
    boolean isPageDue(long key, long hash) {
        if (key < 0) {
            return false;
        }
        int count = 1;
        int place = first(hash);
        for (long found = places.key(place); found != 0; found = places.key(place)) {
            if (isNeighbour(found, key)) {
                count++;
            }
            place = places.next(place);
        }
        return count >= WORTH_A_PAGE;
    }

    private static boolean isNeighbour(long stored, long key) {
        return (~stored ^ key) >> PAGE_BITS == 0;
    }

    /** Inserts a key that is absent, together with a page for it and its neighbours. */
    void insertPage(long key, long hash, int counter) {
        int[] page = new int[PAGE];
        page[(int) key & PAGE - 1] = counter;
        int first = -1;
        int place = first(hash);
        for (long found = places.key(place); found != 0; found = places.key(place)) {
            if (isNeighbour(found, key)) {
                page[(int) ~found & PAGE - 1] = places.moved(place);
                first = first < 0 ? place : first;
                abandoned++;
            }
            place = places.next(place);
        }
        // The first one is the page's.
        abandoned--;
        if (pageCount == pages.length) {
            pages = Arrays.copyOf(pages, longer());
        }
        pages[pageCount] = page;
        places.setCounter(first, MOVED | pageCount);
        pageCount++;
        places.setKey(first, storedPage(key));
    }

    /** Moves all to a table made by {@link #room}. */
    void moveTo(KeyTable larger) {
        for (int place = 0; place < places.size(); place++) {
            long stored = places.key(place);
            if (stored == 0) {
                continue;
            }
            long key = ~stored;
            boolean isPage = key < 0 && key >> 62 == -1;
            if (isPage) {
                long of = (key & ~(-1L << 62)) << PAGE_BITS;
                larger.put(stored, stored, hash(of), places.counter(place));
            } else if (places.counter(place) >= 0) {
                larger.put(stored, stored, hash(key), places.moved(place));
            }
        }
    }
}
