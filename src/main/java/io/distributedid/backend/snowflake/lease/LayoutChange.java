package io.distributedid.backend.snowflake.lease;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Changes the recorded layout or epoch of a sequence once no process makes ids with the old one. For one thread.
 *
 * <p><b>Protocol.</b> Every write is a compare-and-set. After a crash the command is repeated from the start.
 *
 * <ol>
 *   <li>Read all rows: no number may be leased, and none may be moving to or from the store. All future ids of the new
 *       layout must be larger than all of the old one.
 *   <li>Set the sequence's record to {@code OLD changes to NEW}. A process that starts with either is refused.
 *   <li>Raise the number of {@linkplain StoreRecord#changes changes} in the store's own record. A process that slept
 *       since before that is refused when it asks for a window.
 *   <li>Wait for the longest window, two clock skews and a second. A delayed request can only ask for a window that was
 *       computed before the wait, and that is over after it. If there are single-use numbers, wait also for as long as
 *       ids may lie ahead of a clock.
 *   <li>Read all rows again. A request that was delayed until the wait has written a row, and its window counts: the
 *       new ids must be larger than those in it, too. If they are not, a number is leased after all, or a move has
 *       begun in step 3, set the record back to {@code OLD}.
 *   <li>Set the sequence's record to {@code NEW}.
 * </ol>
 */
final class LayoutChange {

    static final String ARROW = " changes to ";

    private final WorkerStore store;

    private final LeaseTerms terms;

    private final String sequence;

    /** Whether the operator confirms that no process with a single-use number runs. */
    private final boolean allStopped;

    private final StoreMove.Nap nap;

    LayoutChange(WorkerStore store, LeaseTerms terms, String sequence, boolean allStopped) {
        this(store, terms, sequence, allStopped, Thread::sleep);
    }

    LayoutChange(WorkerStore store, LeaseTerms terms, String sequence, boolean allStopped, StoreMove.Nap nap) {
        this.store = store;
        this.terms = terms;
        this.sequence = sequence;
        this.allStopped = allStopped;
        this.nap = nap;
    }

    /**
     * Returns the text of the old layout.
     *
     * @throws IdConfigurationException if the new ids would not be larger, or a number is leased
     * @throws IdUnavailableException if the store failed; repeat the call
     */
    String run(IdLayout next) {
        try {
            return change(next);
        } catch (WorkerStoreException e) {
            throw new IdUnavailableException(
                    "The layout of a sequence was not changed: seq=" + sequence + ". " + e.getMessage()
                            + ". Repeat the command",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while changing a layout: seq=" + sequence, e);
        }
    }

    private String change(IdLayout next) throws WorkerStoreException, InterruptedException {
        String recorded = store.record(sequence).orElse("");
        String old = recorded.split(ARROW, 2)[0];
        if (old.equals(next.text())) {
            set(recorded, old);
            return old;
        }
        StoreSnapshot snapshot = readAll();
        StoreRecord known = known(snapshot);
        requireSettled(known);
        if (recorded.isEmpty()) {
            throw new IdConfigurationException("No layout is recorded for the sequence: seq=" + sequence + " in "
                    + store.label()
                    + ". The first process to start records its layout, so there is nothing to change");
        }
        requireNothingLeased(snapshot);
        IdLayout before = LayoutParser.parse(old);
        long skew = terms.maxClockSkew().toMillis();
        long ahead = ahead(snapshot, before);
        long unused = unused(snapshot, snapshot.storeTime() + skew + ahead);
        requireLarger(before, next, unused, snapshot.storeTime() + wait(known) + ahead - skew);
        String changing = old + ARROW + next.text();
        set(recorded, changing);
        try {
            nap.take(wait(announce()) + ahead);
            StoreSnapshot after = readAll();
            requireSettled(known(after));
            requireNothingLeased(after);
            requireLarger(before, next, unused(after, unused), after.storeTime() - skew);
        } catch (IdConfigurationException e) {
            set(changing, old);
            throw e;
        }
        set(changing, next.text());
        return old;
    }

    private void set(String expected, String next) throws WorkerStoreException, InterruptedException {
        if (!expected.equals(next) && !store.compareAndSetRecord(sequence, expected, next)) {
            throw new IdUnavailableException("Another command changes the layout of the sequence: seq=" + sequence
                    + " in " + store.label() + ". Repeat the command");
        }
    }

    /** The milliseconds after which all windows are over that were granted or asked for. */
    private long wait(StoreRecord known) {
        return TimeUnit.NANOSECONDS.toMillis(terms.overNanos(known.window())) + 1;
    }

    private StoreRecord known(StoreSnapshot snapshot) throws WorkerStoreException {
        return StoreRecord.parse(snapshot.record())
                .orElseGet(() -> StoreRecord.first(
                        UUID.randomUUID().toString(), terms.protocol().windowMillis()));
    }

    /** Raises the number of changes in the store's own record, and returns the new record. */
    private StoreRecord announce() throws WorkerStoreException, InterruptedException {
        while (true) {
            StoreSnapshot snapshot = store.read(0, 0);
            StoreRecord known = known(snapshot);
            requireSettled(known);
            StoreRecord changed = known.changed();
            if (store.compareAndSetRecord(WorkerStore.STORE_RECORD, snapshot.record(), changed.text())) {
                return changed;
            }
        }
    }

    private void requireSettled(StoreRecord known) {
        if (known.state() != StoreRecord.State.SETTLED) {
            throw new IdConfigurationException("No layout can be changed while worker numbers move: " + store.label()
                    + " state=" + known.state()
                    + (known.state() == StoreRecord.State.MOVING
                            ? ". End the move first: "
                            : ". End the move, and run the command with the new place: ")
                    + "distributedid move-workers " + sequence);
        }
    }

    private StoreSnapshot readAll() throws WorkerStoreException, InterruptedException {
        return store.read(WorkerStore.EXCLUSIVE, Long.MAX_VALUE);
    }

    private void requireNothingLeased(StoreSnapshot snapshot) throws WorkerStoreException {
        List<WorkerRow> open = Stream.concat(snapshot.held().stream(), exclusive(snapshot))
                .distinct()
                .filter(row -> !(allStopped && row.isForSingleUse()))
                .toList();
        boolean isBurnt = !allStopped && !burnt(snapshot).isEmpty();
        if (!open.isEmpty() || isBurnt) {
            String owners = open.stream()
                    .limit(20)
                    .map(row -> row.worker() + " by " + row.owner())
                    .collect(Collectors.joining("; "));
            String singleUse = isBurnt
                    ? ". Single-use numbers have no end: once all their owners are stopped, add --all-stopped"
                    : "";
            throw new IdConfigurationException("The layout of a sequence can be changed only while no worker number is"
                    + " leased: seq=" + sequence + ", " + open.size() + " are in " + store.label() + ": " + owners
                    + ". Stop these processes, wait until the windows of those that were killed are over, and repeat"
                    + " the command" + singleUse);
        }
    }

    /** Rows may be lost, or not written yet. */
    private BurntNumbers burnt(StoreSnapshot snapshot) throws WorkerStoreException {
        return known(snapshot).burnt().with(snapshot.rows());
    }

    /** The process that makes ids without a worker number may go on for a lease whose end its clock does not tell. */
    private Stream<WorkerRow> exclusive(StoreSnapshot snapshot) {
        long latest = snapshot.storeTime() - 2 * terms.maxClockSkew().toMillis();
        return snapshot.rows().stream()
                .filter(row ->
                        row.worker() == WorkerStore.EXCLUSIVE && !row.isHandedBack() && row.reservedUntil() > latest);
    }

    /** How far ids may lie ahead of the clock without a window that ends later: those of single-use numbers. */
    private long ahead(StoreSnapshot snapshot, IdLayout old) throws WorkerStoreException {
        return burnt(snapshot).isEmpty()
                ? 0
                : LeaseSettings.MOST_AHEAD.plus(old.time().unit()).toMillis();
    }

    /** No old id has this time or a later one: the end of the last window, or {@code atLeast}. */
    private static long unused(StoreSnapshot snapshot, long atLeast) {
        return snapshot.rows().stream()
                .mapToLong(WorkerRow::reservedUntil)
                .filter(until -> until != Long.MAX_VALUE)
                .reduce(atLeast, Math::max);
    }

    /**
     * Requires that new ids are larger than old ones.
     *
     * @param unused no old id has this time or a later one
     * @param begin no new id has an earlier time
     */
    private void requireLarger(IdLayout old, IdLayout next, long unused, long begin) {
        long largest = old.time().ceiling(Instant.ofEpochMilli(unused));
        Instant first = Instant.ofEpochMilli(begin);
        if (next.time().floor(first) > largest) {
            return;
        }
        // A window that is granted during the wait ends before the first new id.
        long room = Math.max(largest, old.time().ceiling(first));
        throw new IdConfigurationException(
                "All ids of the new layout must be larger than those of the old one: seq=" + sequence
                        + " old=" + old.text() + " new=" + next.text() + "; the old one's go up to " + largest
                        + ", the new one's would begin at " + next.time().floor(first) + ". "
                        + earlierEpoch(next, room, first)
                                .map(epoch -> "Set distributedid.snowflake.epoch=" + epoch + " or earlier")
                                .orElse("No epoch makes that so: choose a layout with more bits below its time, or"
                                        + " with more bits altogether"));
    }

    /** The latest epoch that makes the new ids larger; empty if the layout would have run out of time. */
    private static Optional<Instant> earlierEpoch(IdLayout layout, long id, Instant first) {
        long ticks = (id >> layout.time().shift()) + 2;
        return ticks > layout.time().maxTick()
                ? Optional.empty()
                : Optional.of(first.minusMillis(ticks * layout.time().unit().toMillis()));
    }
}
