package io.distributedid.simulation;

import io.distributedid.internal.lease.StoreHeader;
import java.util.Locale;

/**
 * How the store and the processes of a run are set up.
 *
 * @param numbers how many worker numbers there are
 * @param window in milliseconds
 * @param skew in milliseconds
 * @param isStrict whether processes also give ids in strict order
 * @param burns whether numbers are taken for a single use
 * @param troubleOneIn one request in so many goes wrong; 0 for none
 * @param switchOneIn threads take turns once in so many steps
 */
record LeaseSetup(
        int numbers, long window, long skew, boolean isStrict, boolean burns, int troubleOneIn, int switchOneIn) {

    /** How long the active process may go on without an answer. */
    static final long STRICT_LEASE_MILLIS = 1_000;

    StoreHeader.Terms terms() {
        return new StoreHeader.Terms(window, skew);
    }

    LeaseSetup withoutTrouble() {
        return new LeaseSetup(numbers, window, skew, isStrict, burns, 0, switchOneIn);
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%d worker numbers, windows of %d ms, a skew of %d ms%s%s; one request in %d goes wrong, threads take"
                        + " turns once in %d steps",
                numbers,
                window,
                skew,
                isStrict ? ", a sequence in strict order" : "",
                burns ? ", numbers for a single use" : "",
                troubleOneIn,
                switchOneIn);
    }
}
