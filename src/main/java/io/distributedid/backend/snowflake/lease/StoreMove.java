package io.distributedid.backend.snowflake.lease;

import io.distributedid.CheckResult;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.StoreRecord.State;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ends a move of worker numbers from an old store to a new one, once every process leases in both, see
 * {@link MovingClient}:
 *
 * <ol>
 *   <li>Compares the records of sequences in both stores. If one differs, nothing is changed.
 *   <li>Fences the old store: its record gets {@code state=MOVED}. Every process reads the record each time before it
 *       asks for a window, or asks on the condition that the record is as it was read. A process that leases in the old
 *       store alone stops asking.
 *   <li>Waits until all windows are over that such a process can have been granted.
 *   <li>Copies the records of sequences from the old store.
 *   <li>Reads the old store's single-use numbers. The new store's record will hold them as burnt, and no process takes
 *       such a number without a row. So this step gives other numbers between them a row, if the old store has one.
 *   <li>Settles the new store: its record gets {@code burnt}, and loses {@code state=MOVING}, so processes with the new
 *       store alone may lease there. No window of theirs begins before {@code from}.
 * </ol>
 *
 * Any process may repeat it at any time.
 *
 * <p><b>Single-use numbers</b> have windows without an end, and their owners read no record any more. They go on during
 * the move and after it, each with its number. A process writes the number into the old store's record before its row,
 * so the fence finds it there however late the row arrives.
 *
 * <p><b>Why the wait is long enough.</b> Let F be the old store's time, read after the fence was written. A process
 * that leases in the old store alone, and is granted a window, has read the record before the fence was written; or its
 * renewal, which compares the record, found it without the fence. The store's time was then at most F. The clock of the
 * process was at most a clock skew ahead of that, or it would not have asked or the renewal been refused, however late
 * its compare-and-set arrived. The window it asked for ends one window length after its clock, or
 * {@link LeaseProtocol#HANDBACK_WAIT_MILLIS} later if it took over a number that was handed back. So all these windows
 * end before {@code from} = F + skew + {@code HANDBACK_WAIT_MILLIS} + window. The window here is the longest one in the
 * record, which no process raises after the fence. No skew is more than a quarter of it. The move waits for
 * {@code from} and a second skew, both by the old store's clock and by the local one, so that {@code from} is over by
 * every clock that may lease. This relies on one clock only: the old store's clock must not go back while the store is
 * fenced.
 */
final class StoreMove {

    private static final int MOST_NAMED = 20;

    private static final long LONGEST_NAP_MILLIS = 1_000;

    @FunctionalInterface
    interface Nap {
        void take(long millis) throws InterruptedException;
    }

    private final WorkerStore old;

    private final WorkerStore next;

    private final LongSupplier nanoTime;

    private final Nap nap;

    StoreMove(WorkerStore old, WorkerStore next, LongSupplier nanoTime, Nap nap) {
        this.old = old;
        this.next = next;
        this.nanoTime = nanoTime;
        this.nap = nap;
    }

    /**
     * @param force whether processes that lease in the old store alone are cut off
     * @throws IdConfigurationException if no move has begun, or a process leases in the old store alone
     */
    List<CheckResult> finish(boolean force) throws WorkerStoreException, InterruptedException {
        StoreRecord to = record(next);
        if (to != null && to.hasArrived()) {
            return List.of(CheckResult.ok("new place", next.label(), "the move has ended before: " + to.text()));
        }
        StoreRecord from = record(old);
        if (from == null || to == null || !isBegun(from, to)) {
            throw notBegun(from, to);
        }
        if (from.state() == State.SETTLED) {
            requireSameLayouts();
            if (!force) {
                requireNoneOnOldAlone();
            }
        }
        StoreRecord fenced = fence(from, to.move());
        long first = awaitLastWindow(fenced.window());
        int sequences = copyRecords();
        settle(first, copyBurnt(fenced.burnt(), first));
        return List.of(
                CheckResult.ok("old place", old.label(), "state=MOVED, no number is leased there any more"),
                CheckResult.ok(
                        "new place",
                        next.label(),
                        "the move has ended; sequences whose layout was taken along: " + sequences));
    }

    private static @Nullable StoreRecord record(WorkerStore store) throws WorkerStoreException, InterruptedException {
        return StoreRecord.of(store).orElse(null);
    }

    private IdConfigurationException notBegun(@Nullable StoreRecord from, @Nullable StoreRecord to) {
        return new IdConfigurationException("There is no move of worker numbers between these places: "
                + old.label() + " " + text(from) + ", " + next.label() + " " + text(to)
                + ". Start the applications with distributedid.snowflake.lease.moving_from.* first, and check"
                + " the settings");
    }

    private static boolean isBegun(StoreRecord from, StoreRecord to) {
        return to.state() == State.MOVING
                && to.token().equals(from.token())
                && (from.state() == State.SETTLED
                        || (from.state() == State.MOVED && from.move().equals(to.move())));
    }

    private static String text(@Nullable StoreRecord record) {
        return record == null ? "holds none" : record.text();
    }

    private void requireNoneOnOldAlone() throws WorkerStoreException, InterruptedException {
        StoreSnapshot before = old.read(WorkerStore.EXCLUSIVE, Long.MAX_VALUE);
        StoreSnapshot after = next.read(WorkerStore.EXCLUSIVE, Long.MAX_VALUE);
        Map<Long, String> entered =
                after.rows().stream().collect(Collectors.toMap(WorkerRow::worker, WorkerRow::owner));
        List<WorkerRow> alone = before.held().stream()
                .filter(row -> !row.isForSingleUse())
                .filter(row -> !row.owner().equals(entered.get(row.worker())))
                .toList();
        if (!alone.isEmpty()) {
            throw new IdConfigurationException(
                    "Processes lease worker numbers at the old place alone, and would be cut off: " + old.label() + ". "
                            + alone.stream()
                                    .limit(MOST_NAMED)
                                    .map(row -> row.worker() + " by " + row.owner() + " until "
                                            + Instant.ofEpochMilli(row.reservedUntil()))
                                    .collect(Collectors.joining("; "))
                            + (alone.size() > MOST_NAMED ? "; and " + (alone.size() - MOST_NAMED) + " more" : "")
                            + ". Start them again with distributedid.snowflake.lease.moving_from.*, or wait until the"
                            + " windows of those that are dead are over; or cut them off with --force");
        }
    }

    /** Called before each try to write the fence, while the move can still be given up. */
    private void requireSameLayouts() throws WorkerStoreException, InterruptedException {
        Map<String, String> after = next.records();
        for (Map.Entry<String, String> each : old.records().entrySet()) {
            if (each.getValue().contains(LayoutChange.ARROW)) {
                throw changing(each);
            }
            String known = after.getOrDefault(each.getKey(), each.getValue());
            if (!isOfStore(each) && !known.equals(each.getValue())) {
                throw otherLayout(
                        each,
                        known,
                        "Otherwise move to another place, which was never used. The old place is not fenced");
            }
        }
    }

    private IdConfigurationException changing(Map.Entry<String, String> sequence) {
        return new IdConfigurationException("The layout of a sequence is being changed: seq=" + sequence.getKey() + " "
                + old.label() + " records " + sequence.getValue() + ". If a change-layout was interrupted, run it again"
                + " with the old place, and with the old layout, which takes the change back. The old place is not"
                + " fenced");
    }

    private static boolean isOfStore(Map.Entry<String, String> record) {
        return record.getKey().equals(WorkerStore.STORE_RECORD);
    }

    private IdConfigurationException otherLayout(Map.Entry<String, String> before, String after, String advice) {
        return new IdConfigurationException("A sequence must have the same layout and epoch at both places: seq="
                + before.getKey() + ", " + old.label() + " records " + before.getValue() + ", " + next.label() + " "
                + after + ". If a change-layout was interrupted, run it again with the old layout, which takes the"
                + " change back. " + advice);
    }

    private StoreRecord fence(StoreRecord found, String move) throws WorkerStoreException, InterruptedException {
        StoreRecord current = found;
        while (current.state() != State.MOVED) {
            // After the record was read: a change of a layout writes that last.
            requireSameLayouts();
            StoreRecord fenced = current.moved(move);
            if (old.compareAndSetRecord(WorkerStore.STORE_RECORD, current.text(), fenced.text())) {
                return fenced;
            }
            StoreRecord again = record(old);
            StoreRecord to = record(next);
            if (again == null || to == null || !isBegun(again, to)) {
                throw notBegun(again, to);
            }
            current = again;
        }
        return current;
    }

    /** Returns {@code from}, the first id time of windows that the new store alone grants. */
    private long awaitLastWindow(long window) throws WorkerStoreException, InterruptedException {
        long fencedAt = old.read(0, 0).storeTime();
        long began = nanoTime.getAsLong();
        long skew = window / 4 + 1;
        long first = fencedAt + window + LeaseProtocol.HANDBACK_WAIT_MILLIS + skew;
        long end = first + skew;
        long left = end - fencedAt;
        while (left > 0) {
            nap.take(Math.min(left, LONGEST_NAP_MILLIS));
            long passed = TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - began);
            left = Math.max(end - fencedAt - passed, end - old.read(0, 0).storeTime());
        }
        return first;
    }

    private int copyRecords() throws WorkerStoreException, InterruptedException {
        int sequences = 0;
        for (Map.Entry<String, String> each : old.records().entrySet()) {
            if (!isOfStore(each)) {
                String known = LeaseClient.record(next, each.getKey(), each.getValue());
                if (!known.equals(each.getValue())) {
                    throw otherLayout(each, known, "Otherwise find out who wrote the latter. The move has not ended");
                }
                sequences += each.getKey().equals(WorkerStore.EXCLUSIVE_RECORD) ? 0 : 1;
            }
        }
        return sequences;
    }

    /**
     * Returns the single-use numbers of the old store.
     *
     * @param first is over by every clock that may lease; no window begins before
     */
    private BurntNumbers copyBurnt(BurntNumbers recorded, long first)
            throws WorkerStoreException, InterruptedException {
        List<WorkerRow> rows = old.read(0, Long.MAX_VALUE).rows();
        BurntNumbers burnt = recorded.with(rows);
        for (WorkerRow row : rows) {
            if (burnt.contains(row.worker()) && !row.isForSingleUse()) {
                // If the number has a row, a process with both places holds it.
                String token = UUID.randomUUID().toString();
                boolean unused = next.compareAndSet(null, new WorkerRow(row.worker(), "", first, token));
            }
        }
        return burnt;
    }

    private void settle(long first, BurntNumbers burnt) throws WorkerStoreException, InterruptedException {
        while (true) {
            StoreRecord found = record(next);
            if (found == null || found.state() != State.MOVING) {
                if (found != null && found.hasArrived()) {
                    return;
                }
                throw new IdUnavailableException(
                        "The record of the new place has changed while the move was being ended: " + next.label() + " "
                                + text(found) + ". Repeat the command");
            }
            if (next.compareAndSetRecord(
                    WorkerStore.STORE_RECORD,
                    found.text(),
                    // A process with both places may have taken one since the fence.
                    found.arrived(first, burnt.with(found.burnt())).text())) {
                return;
            }
        }
    }
}
