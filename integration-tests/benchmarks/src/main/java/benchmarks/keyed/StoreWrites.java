package benchmarks.keyed;

import io.distributedid.internal.keyed.served.KeyMemory;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What an owner writes to the store, counted with a clock of its own: a hundred thousand numbers a second of one
 * section, from a store that takes 5 ms. A number that must wait for the store is asked for again after a microsecond.
 */
final class StoreWrites {

    private static final int NUMBERS = 10_000_000;

    private static final long BETWEEN_CALLS = 10_000;

    private static final long RETRY = 1_000;

    private static final long ROUND_TRIP = 5_000_000;

    private StoreWrites() {}

    /**
     * What was counted.
     *
     * @param raisesPer10k writes that raised {@code max}, for each 10,000 numbers
     * @param renewals writes that only renewed the lease
     * @param waited numbers that had to wait for the store
     */
    record Counted(double raisesPer10k, long renewals, long waited) {}

    /** Each of so many keys in turn. The fewer there are, the sooner a key reaches {@code max}. */
    static Counted of(int keys) {
        AtomicLong clock = new AtomicLong();
        OwnedRow owned = new OwnedRow(new KeyMemory(1 << 26), clock::get, ROUND_TRIP);
        long waited = 0;
        for (int i = 0; i < NUMBERS; i++) {
            clock.addAndGet(BETWEEN_CALLS);
            owned.work();
            if (owned.section().next(i % keys, 1) < 0) {
                waited++;
                do {
                    clock.addAndGet(RETRY);
                    owned.work();
                } while (owned.section().next(i % keys, 1) < 0);
            }
        }
        return new Counted(owned.raises() * 10_000.0 / NUMBERS, owned.renewals(), waited);
    }
}
