package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStore;
import io.distributedid.internal.tenure.TenureStoreException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The tenure of the one process that makes ids without a worker number, beside the worker numbers: the row with the
 * number {@value WorkerStore#EXCLUSIVE}. Its {@code reserved_until} is the bound, in id time. Its token is the lease in
 * milliseconds to the base of 36, a dot, and the token of the {@link TenureRow}. Thread-safe. One class: each call
 * checks what earlier ones have learnt.
 *
 * <p>Beyond the tenure's protocol it keeps the protections of {@link StoreClient}:
 *
 * <ul>
 *   <li>Every write is made on the condition that the store's record is as this process has read it. A store whose
 *       numbers have moved, that is another one than before, or where a layout was changed, gives no tenure.
 *   <li>No bound is computed from a clock that is far from the store's, and none is ahead of the store's clock by more
 *       than the longest lease and the largest skew: see {@link #latestBound}.
 *   <li>Once the row is written, a record says so, see {@link ExclusiveRecord}. If the row is missing after that, the
 *       store has lost data. So it has if this process has read or written the row before, whatever the record says.
 *       The process that finds this writes a time into the record. By then the term of any other process is over, and
 *       the clock is past its bound, if the clocks are as they must be: see {@link LongestTerm}, which is in the record
 *       before any process may use it. No process becomes active before. A process that has seen the time waits also if
 *       the record is lost. If the row ends below what this process was granted, this process waits as long.
 * </ul>
 */
public final class ExclusiveStore implements TenureStore {

    /** The bound of a tenure. */
    @FunctionalInterface
    public interface Reservation {

        /**
         * Returns the end of the id time to reserve.
         *
         * @param from the first id time of the tenure, in milliseconds since 1970
         * @param now the local clock, which is near the store's
         */
        long until(long from, long now);
    }

    @FunctionalInterface
    private interface Call<T> {

        T run() throws WorkerStoreException, InterruptedException;
    }

    /** The store's time at {@code nanos} or before. */
    private record Seen(long storeTime, long nanos) {}

    private static final long ROW = WorkerStore.EXCLUSIVE;

    private static final int RADIX = Character.MAX_RADIX;

    private final WorkerStore store;

    private final ExclusiveTerms terms;

    private final InstantSource clock;

    private final LongSupplier nanoTime;

    private final Reservation reservation;

    /** Held during calls to the store. Guards the fields from here on. */
    private final ReentrantLock lock = new ReentrantLock();

    /** As last read or written. */
    private @Nullable StoreRecord record;

    private volatile @Nullable Seen seen;

    /** The largest bound that this process was granted. */
    private long granted;

    /** The last row that this process tried to write. */
    private @Nullable TenureRow sent;

    /** Whether this process has read or written the row, and has not found it lost since. */
    private boolean isKnown;

    /** Of all processes that this one knows of. The record has it before this process writes the row. */
    private volatile LongestTerm longest;

    /**
     * The owner of the row when the record was last read, or written to say that the row is in use. Null if the record
     * must be read first.
     */
    private @Nullable String markedOwner;

    /** By {@link #nanoTime}; null if this process does not wait for lost terms. */
    private @Nullable Long suspendedUntil;

    /** @param store closed with this */
    public ExclusiveStore(
            WorkerStore store,
            ExclusiveTerms terms,
            InstantSource clock,
            LongSupplier nanoTime,
            Reservation reservation) {
        this.store = store;
        this.terms = terms;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.reservation = reservation;
        longest = new LongestTerm(terms.lease().toMillis(), terms.maxClockSkew().toMillis());
    }

    @Override
    public @Nullable TenureRow read() throws TenureStoreException, InterruptedException {
        return call(() -> {
            WorkerRow row = look();
            if (row == null) {
                row = requireOpen();
            }
            if (row == null) {
                return null;
            }
            isKnown = true;
            TenureRow found = decode(row);
            if (found.equals(sent)) {
                granted = Math.max(granted, found.bound());
            }
            requireNotForgotten(row);
            markInUse(found);
            return found;
        });
    }

    @Override
    public boolean compareAndSet(@Nullable TenureRow expected, TenureRow next)
            throws TenureStoreException, InterruptedException {
        return call(() -> {
            sent = next.isHandedBack() ? null : next;
            boolean done = expected == null
                    ? store.compareAndSet(null, encode(next))
                    : replace(encode(expected), encode(next));
            if (done) {
                isKnown = true;
                granted = next.isHandedBack() ? 0 : Math.max(granted, next.bound());
                if (markedOwner == null) {
                    markInUse(next);
                }
            }
            return done;
        });
    }

    /**
     * Writes into the record that the row was written, and the longest term. Reads the record again for another owner,
     * which may have raised that.
     */
    private void markInUse(TenureRow row) throws WorkerStoreException, InterruptedException {
        long lease = TimeUnit.NANOSECONDS.toMillis(row.lease());
        if (lease > longest.lease() || !(row.isHandedBack() || row.owner().equals(markedOwner))) {
            markedOwner = null;
        }
        longest = longest.withLease(lease);
        while (markedOwner == null) {
            ExclusiveRecord known = exclusive();
            ExclusiveRecord next = covering(known).inUse();
            if (next.equals(known) || replace(known, next)) {
                markedOwner = row.owner();
            }
        }
    }

    private ExclusiveRecord covering(@Nullable ExclusiveRecord known) {
        ExclusiveRecord found =
                known == null ? ExclusiveRecord.first(UUID.randomUUID().toString(), longest) : known;
        longest = longest.with(found.longest());
        return found.covering(longest);
    }

    private @Nullable ExclusiveRecord exclusive() throws WorkerStoreException, InterruptedException {
        return ExclusiveRecord.parse(store.record(WorkerStore.EXCLUSIVE_RECORD).orElse(null));
    }

    private boolean replace(@Nullable ExclusiveRecord known, ExclusiveRecord next)
            throws WorkerStoreException, InterruptedException {
        return store.compareAndSetRecord(
                WorkerStore.EXCLUSIVE_RECORD, known == null ? null : known.text(), next.text());
    }

    private boolean replace(WorkerRow expected, WorkerRow next) throws WorkerStoreException, InterruptedException {
        StoreRecord known = record;
        if (known != null) {
            OptionalLong time = store.renew(expected, next, new StoreCondition(known.text(), 0, Long.MAX_VALUE));
            if (time.isPresent()) {
                seen = new Seen(time.getAsLong(), nanoTime.getAsLong());
                return true;
            }
        }
        // The row or the record is another one; or the store can't do this in one step.
        return expected.equals(look()) && store.compareAndSet(expected, next);
    }

    /** Reads the row, and checks the record beside it. */
    private @Nullable WorkerRow look() throws WorkerStoreException, InterruptedException {
        StoreSnapshot snapshot = store.read(ROW, ROW);
        seen = new Seen(snapshot.storeTime(), nanoTime.getAsLong());
        StoreRecord found = StoreRecord.parse(snapshot.record()).orElse(null);
        agree(found == null ? create() : found);
        return snapshot.row(ROW);
    }

    /** If the store has lost its record, writes it again: processes that have read it still go by it. */
    private StoreRecord create() throws WorkerStoreException, InterruptedException {
        StoreRecord first = record != null
                ? record
                : StoreRecord.first(UUID.randomUUID().toString(), terms.lease().toMillis());
        return StoreRecord.parse(LeaseClient.record(store, WorkerStore.STORE_RECORD, first.text()))
                .orElseThrow();
    }

    private void agree(StoreRecord found) {
        Admission.ONLY.require(found, store.label());
        StoreRecord known = record;
        if (known != null && !found.token().equals(known.token())) {
            throw new IdUnavailableException(
                    "The store of the active process is another one than before, or was emptied and used anew: "
                            + store.label() + " token=" + found.token() + ", it was token=" + known.token()
                            + ". This process does not become active with it. Bring the right store back; or stop all"
                            + " processes, and start them again");
        }
        if (known != null && found.changes() != known.changes()) {
            throw new IdUnavailableException(
                    "The layout of a sequence was changed since this process started, so it does not become or stay"
                            + " active: " + store.label() + ". Restart it");
        }
        record = found;
    }

    /** The row is not there: it was never written, or it is lost. Returns it if it is there after all. */
    private @Nullable WorkerRow requireOpen() throws WorkerStoreException, InterruptedException {
        markedOwner = null;
        while (true) {
            ExclusiveRecord known = exclusive();
            // Another process may have written the row and the record meanwhile.
            WorkerRow row = look();
            if (row != null) {
                return row;
            }
            long now = Objects.requireNonNull(seen).storeTime;
            ExclusiveRecord next = covering(known);
            if (next.opens() > now) {
                suspend(next.opens() - now);
            } else if (isKnown || next.isInUse()) {
                suspend(longest.over());
            }
            isKnown = false;
            granted = 0;
            long left = suspension();
            if (left > 0 && next.opens() <= now) {
                next = next.closedUntil(now + roundedUp(left));
            }
            // If another process was faster, its record may have a shorter term.
            if (next.equals(known) || replace(known, next)) {
                if (left > 0) {
                    throw forgotten(left);
                }
                suspendedUntil = null;
                return null;
            }
        }
    }

    /** The row of this process, or of one after it, never ends earlier. */
    private void requireNotForgotten(WorkerRow row) {
        if (row.reservedUntil() >= granted) {
            suspendedUntil = null;
            return;
        }
        if (suspendedUntil == null) {
            suspend(longest.over());
        }
        long left = suspension();
        if (left > 0) {
            throw forgotten(left);
        }
        granted = 0;
    }

    /** From now on this process does not become active for so long, or longer if it waits already. */
    private void suspend(long millis) {
        long left = Math.max(TimeUnit.MILLISECONDS.toNanos(millis), suspension());
        suspendedUntil = nanoTime.getAsLong() + left;
    }

    /** How long this process waits, in nanoseconds; 0 or less if it does not. */
    private long suspension() {
        Long until = suspendedUntil;
        return until == null ? 0 : until - nanoTime.getAsLong();
    }

    private static long roundedUp(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos + TimeUnit.MILLISECONDS.toNanos(1) - 1);
    }

    private IdUnavailableException forgotten(long nanosLeft) {
        return new IdUnavailableException(
                "The store has forgotten which process was active, so that one may still be: " + store.label()
                        + ". Was it restored from a backup, or created anew? This process becomes active in "
                        + TimeUnit.NANOSECONDS.toSeconds(nanosLeft) + " s");
    }

    @Override
    public long bound(long from) throws TenureStoreException, InterruptedException {
        return call(() -> {
            long now = millisNearStore();
            return Math.min(reservation.until(from, now), latestBound());
        });
    }

    /**
     * The largest bound that a renewal would get now. The next owner may be one that begins at its clock, because the
     * row was lost, and restarts compare the largest id with the clock. So ids that run ahead of the clock end here,
     * and callers wait until the store's clock has moved on. It goes by the store's clock, since the local one may be
     * set back, and lag behind that of the owner before. Called by any thread; calls no store.
     */
    public long latestBound() {
        Seen last = seen;
        return last == null ? Long.MAX_VALUE : estimate(last) + longest.ahead();
    }

    private long millisNearStore() throws WorkerStoreException, InterruptedException {
        Seen last = seen;
        long now = clock.millis();
        if (last != null && isNear(now, last)) {
            return now;
        }
        // The estimate of the store's time is behind if this machine was suspended.
        WorkerRow unused = look();
        last = seen;
        now = clock.millis();
        if (last == null || !isNear(now, last)) {
            throw new IdUnavailableException("The local clock must be near the store's: clock="
                    + Instant.ofEpochMilli(now) + ", " + store.label() + " says "
                    + (last == null ? "nothing" : Instant.ofEpochMilli(last.storeTime)) + ", allowed: "
                    + terms.maxClockSkew().toMillis()
                    + " ms (distributedid.snowflake.lease.max_clock_skew). Set the clock");
        }
        return now;
    }

    private boolean isNear(long now, Seen last) {
        return Math.abs(now - estimate(last)) <= terms.maxClockSkew().toMillis();
    }

    /** The store's time. It is behind if this machine was suspended. */
    private long estimate(Seen last) {
        return last.storeTime + TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - last.nanos);
    }

    /**
     * Returns the store's record of a sequence. If there is none, writes {@code content} and returns it.
     *
     * @throws IdUnavailableException if the store failed
     */
    public String record(String sequence, String content) {
        try {
            return call(() -> {
                if (record == null) {
                    // Before anything is written to a store that may be another one.
                    WorkerRow unused = look();
                }
                return LeaseClient.record(store, sequence, content);
            });
        } catch (TenureStoreException e) {
            throw new IdUnavailableException(
                    "The record of a sequence can't be read: seq=" + sequence + ". " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the record of a sequence: seq=" + sequence, e);
        }
    }

    /**
     * Identifies the store; random.
     *
     * @throws IdUnavailableException if the store failed
     */
    public String token() {
        lock.lock();
        try {
            if (record == null) {
                throw new IllegalStateException("The store was not read yet: " + store.label());
            }
            return record.token();
        } finally {
            lock.unlock();
        }
    }

    private <T extends @Nullable Object> T call(Call<T> call) throws TenureStoreException, InterruptedException {
        lock.lockInterruptibly();
        try {
            return call.run();
        } catch (WorkerStoreException e) {
            throw new TenureStoreException(String.valueOf(e.getMessage()), e);
        } finally {
            lock.unlock();
        }
    }

    private static WorkerRow encode(TenureRow row) {
        String lease = Long.toString(TimeUnit.NANOSECONDS.toMillis(row.lease()), RADIX);
        return new WorkerRow(ROW, row.owner(), row.bound(), lease + "." + row.token());
    }

    private TenureRow decode(WorkerRow row) throws WorkerStoreException {
        String[] parts = row.token().split("\\.", 2);
        try {
            long lease = Duration.ofMillis(Long.parseLong(parts[0], RADIX)).toNanos();
            return new TenureRow(row.owner(), row.reservedUntil(), lease, parts[1]);
        } catch (NumberFormatException | ArithmeticException | ArrayIndexOutOfBoundsException e) {
            throw new WorkerStoreException(
                    "The row of the active process can't be read: " + store.label() + " worker=" + ROW + " token="
                            + row.token(),
                    e);
        }
    }

    @Override
    public String label() {
        return store.label();
    }

    @Override
    public void close() {
        store.close();
    }
}
