package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The {@link StoreRecord} of a store as one process knows it, and what the process writes into it: the longest window
 * that it needs, whether the store holds numbers, and when it opens again after a loss. For one thread at a time.
 */
final class KnownRecord {

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final LongSupplier nanoTime;

    private final Admission admission;

    /** As last read or written. */
    private @Nullable StoreRecord record;

    /** When {@link #record} was read or written, by {@link #nanoTime}. */
    private long since;

    /** The longest window that any process may have been granted, in milliseconds. */
    private long longestWindow;

    /** When the store opens again, which the record does not say yet; 0 if there is nothing to write. */
    private long reopens;

    /** @param nanoTime never jumps */
    KnownRecord(WorkerStore store, LeaseTerms terms, LongSupplier nanoTime, Admission admission) {
        this.store = store;
        this.terms = terms;
        this.nanoTime = nanoTime;
        this.admission = admission;
    }

    /** Null before it was read or written. */
    @Nullable
    StoreRecord get() {
        return record;
    }

    /** The protocol with a window no longer than all other processes know of. */
    LeaseProtocol protocol() {
        StoreRecord known = record;
        if (known == null) {
            return terms.protocol();
        }
        long longest = isKnownToAll(known) ? known.window() : known.before();
        return terms.protocol()
                .withWindow(Math.min(terms.protocol().windowMillis(), longest))
                .withBurnt(known.burnt());
    }

    private boolean isKnownToAll(StoreRecord known) {
        return known.isKnownToAll() || nanoTime.getAsLong() - since > terms.overNanos(known.before());
    }

    /** Other processes assume that no skew exceeds a quarter of the longest window that they know of. */
    long longestSkew() {
        long own = terms.maxClockSkew().toMillis();
        return record == null ? own : Math.min(own, Math.max(1, record.window() / 4));
    }

    /**
     * Takes in what a read has found. Returns it; null if there is none.
     *
     * @throws IdUnavailableException if the store is not the one of before
     * @throws io.distributedid.IdConfigurationException if no number may be leased there with the settings
     */
    @Nullable
    StoreRecord admit(StoreSnapshot snapshot) throws WorkerStoreException {
        StoreRecord found = StoreRecord.parse(snapshot.record()).orElse(null);
        if (found == null) {
            if (record == null && !admission.mayCreateRecord()) {
                throw new IdUnavailableException("The record beside the worker numbers was lost while they moved: "
                        + store.label() + " name=" + WorkerStore.STORE_RECORD + ". Restore it, and start again");
            }
            return null;
        }
        admission.require(found, store.label());
        if (record != null) {
            requireSame(record, found);
        }
        if (!found.equals(record)) {
            learn(found);
        }
        return found;
    }

    private void requireSame(StoreRecord known, StoreRecord found) {
        if (!found.token().equals(known.token())) {
            throw new IdUnavailableException(
                    "The store of worker numbers is another one than before, or was emptied and used anew: "
                            + store.label()
                            + " token=" + found.token() + ", it was token=" + known.token()
                            + ". No number is leased from it. Bring the right store back; or stop all processes, wait"
                            + " until their windows are over (" + TimeUnit.MILLISECONDS.toSeconds(longestWindow)
                            + " s and twice the clocks' skew), and start them again");
        }
        if (found.changes() != known.changes()) {
            throw new IdUnavailableException(
                    "The layout of a sequence was changed since this process started, so this process gets no more"
                            + " windows: " + store.label() + ". Restart it");
        }
    }

    /**
     * Records what other processes must know. Returns false if another was faster.
     *
     * @param found as {@link #admit} returned it
     */
    boolean agree(StoreSnapshot snapshot, @Nullable StoreRecord found)
            throws WorkerStoreException, InterruptedException {
        boolean holdsNumbers = !snapshot.rows().isEmpty() && opens() <= snapshot.storeTime();
        // If the store has lost the record, write it again: processes that have read it still go by it.
        StoreRecord next = record == null
                ? StoreRecord.first(
                        UUID.randomUUID().toString(), terms.protocol().windowMillis())
                : next(record, holdsNumbers);
        return next.equals(found) || write(snapshot.record(), next);
    }

    private StoreRecord next(StoreRecord known, boolean holdsNumbers) {
        StoreRecord next = known;
        if (mustBeClosed()) {
            next = known.closedUntil(reopens);
        } else if (holdsNumbers) {
            next = known.inUse();
        }
        if (!isKnownToAll(known) || known.state() == StoreRecord.State.MOVED) {
            return next;
        }
        long wanted = terms.protocol().windowMillis();
        return wanted > known.window() ? next.raised(wanted) : next.knownToAll();
    }

    private boolean write(@Nullable String expected, StoreRecord next)
            throws WorkerStoreException, InterruptedException {
        boolean done = store.compareAndSetRecord(WorkerStore.STORE_RECORD, expected, next.text());
        if (done) {
            reopens = 0;
            learn(next);
        }
        return done;
    }

    private void learn(StoreRecord known) {
        record = known;
        since = nanoTime.getAsLong();
        longestWindow = Math.max(longestWindow, known.window());
    }

    /** Whether it says that the store holds numbers, and that none was lost. */
    boolean isInUse() {
        return record != null && record.opens() == StoreRecord.IN_USE;
    }

    /** Whether the store holds numbers, and {@link #agree} has nothing to write. */
    boolean isAsItShouldBe() {
        return record != null && isInUse() && next(record, false).equals(record);
    }

    /** Tells others that the store holds a number, unless the record is another one by now. */
    void announceUse() throws WorkerStoreException, InterruptedException {
        StoreRecord known = Objects.requireNonNull(record);
        boolean unused = write(known.text(), known.inUse());
    }

    /**
     * Records a number for a single use. Returns false if another was faster to change the record. Once it is recorded,
     * no other process takes the number, even if its row is lost.
     *
     * @param rows as they were read
     */
    boolean burn(long worker, List<WorkerRow> rows) throws WorkerStoreException, InterruptedException {
        StoreRecord known = Objects.requireNonNull(record);
        return write(known.text(), known.burning(known.burnt().with(rows).with(worker)));
    }

    /** From now on no number is taken until all windows are over; {@link #agree} tells others. */
    void close(long storeTime) {
        long longest = Math.max(longestWindow, terms.protocol().windowMillis());
        long end = storeTime + TimeUnit.NANOSECONDS.toMillis(terms.overNanos(longest));
        if (record == null || end > record.opens()) {
            reopens = end;
        }
    }

    /** Whether others are still to be told that the store is closed. */
    boolean mustBeClosed() {
        return reopens > 0;
    }

    /** No number is taken before, by the store's clock. */
    long opens() {
        return record == null ? reopens : Math.max(reopens, record.opens());
    }
}
