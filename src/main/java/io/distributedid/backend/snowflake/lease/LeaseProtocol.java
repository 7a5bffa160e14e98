package io.distributedid.backend.snowflake.lease;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The protocol by which processes get worker numbers and windows of id time, as pure functions. {@link Lease} runs them
 * against a {@link WorkerStore}; the tests explore all their interleavings.
 *
 * <p><b>Protocol.</b> The store holds a row for each worker number: (owner, reserved_until, token). A process that
 * needs a window
 *
 * <ol>
 *   <li>reads the row of the number that it holds, or all rows if it holds none;
 *   <li>recovers its own state from them ({@link #recover});
 *   <li>chooses a request ({@link #request}): its own number again with a later end, or the lowest number whose
 *       reserved time is over by the store's clock and by its own;
 *   <li>replaces that row by compare-and-set with one that has a new token, and remembers the request until it is
 *       answered by "done" or {@link #recover} finds that it can't be done any more. Until then it repeats the request
 *       unchanged, so that there are never two. A refusal does not end that: the request may have been done when it was
 *       sent before. A first request is given up when its window is over; if it is done later, the number is free.
 * </ol>
 *
 * A process that holds a number, and remembers no request, may leave out the first two steps: it wrote the row, so it
 * knows what to expect. If the compare-and-set is refused, it must not be repeated, but it may have been done: a proxy
 * may have sent it twice. The process begins again with the first step, and forgets it after the second.
 *
 * <p>The window is granted by the answer "done", or when {@link #recover} finds the process's own row in the store. It
 * ends at the new row's {@code reserved_until}. A renewed window starts where it started before. A new one starts at
 * the old row's {@code reserved_until}, or at the process's clock if that is later. A process composes an id only if
 * the id's time lies in a window that it was granted. When it stops, after its last id, it may set
 * {@code reserved_until} back to just above that id ({@link #handBack}), also by compare-and-set.
 *
 * <p>A process that needs a single-use number records it as burnt before it sends the request, see {@link StoreRecord}.
 *
 * <p><b>Obligation.</b> No two processes ever own the same (worker number, id time). Let r0, r1, r2, ... be all rows
 * that a number ever had. No token is used twice. So a compare-and-set that expects r(i) succeeds only while r(i) is in
 * the store, and for one process alone: r(i+1) has one author, who recognises it by its token. There are three cases.
 * If r(i+1) is a request by the author of r(i), it prolongs a window, and the new part starts where the old one ended.
 * If it is a request by another process, its window starts at or after the end of r(i). If it is a hand-back, its
 * author is the author of r(i), who gives up the time above and composes no more ids. So every window lies above all
 * windows before it, less what was given up.
 *
 * <p>It relies on three facts: the store's compare-and-set is atomic, and the store does not lose what it has answered;
 * tokens differ; the state of a process exists only once. It relies on <b>no clock</b>. Clocks decide which window is
 * asked for, never whether it is granted. So neither a wrong clock, nor a pause of any length, nor a lost or late
 * answer breaks it. (A window starts no earlier than the clock that asked for it. That helps when a store has lost rows
 * with later windows, see {@link StoreClient}.)
 *
 * @param windowMillis how far ahead of the clock a window ends
 * @param minWorker the lowest number
 * @param maxWorker the largest number
 * @param singleUse whether a number is never used again; its window then has no end
 * @param burnt no number between these is taken, unless it has a row; a single-use number must lie above them
 */
public record LeaseProtocol(long windowMillis, long minWorker, long maxWorker, boolean singleUse, BurntNumbers burnt) {

    /**
     * A handed-back number may be taken this long before its reserved time is over. Its new owner waits for the rest.
     */
    static final long HANDBACK_WAIT_MILLIS = 1_000;

    public LeaseProtocol(long windowMillis, long minWorker, long maxWorker, boolean singleUse) {
        this(windowMillis, minWorker, maxWorker, singleUse, BurntNumbers.NONE);
    }

    LeaseProtocol withWindow(long millis) {
        return millis == windowMillis ? this : new LeaseProtocol(millis, minWorker, maxWorker, singleUse, burnt);
    }

    LeaseProtocol withBurnt(BurntNumbers known) {
        return known.equals(burnt) ? this : new LeaseProtocol(windowMillis, minWorker, maxWorker, singleUse, known);
    }

    /** The lowest number to read before a request. */
    long lowestToRead() {
        return singleUse ? Math.max(minWorker, burnt.highest() + 1) : minWorker;
    }

    /** Whether the process must renew: it holds no window, or half of the window is over. */
    boolean isDue(LeaseState state, long clock) {
        Grant held = state.held();
        return held == null || held.until() - clock <= windowMillis / 2;
    }

    /**
     * The state after the store was read. A request that was not answered by "done" is granted if its row is there. It
     * is forgotten if its row is not there, nor the one that it expects. A number is no longer held if another row is
     * in its place.
     *
     * @param snapshot with the row of the number that is held or asked for, if there is one
     */
    static LeaseState recover(LeaseState state, StoreSnapshot snapshot) {
        LeaseRequest sent = state.sent();
        WorkerRow asked = sent == null ? null : snapshot.row(sent.next().worker());
        if (sent != null && sent.next().equals(asked)) {
            return state.answered(true);
        }
        Grant held = state.held();
        if (held != null && !held.row().equals(snapshot.row(held.worker()))) {
            return LeaseState.EMPTY;
        }
        return sent == null || Objects.equals(sent.expected(), asked) ? state : new LeaseState(held, null);
    }

    /**
     * As {@link #recover(LeaseState, StoreSnapshot)}, after a renewal that the store has refused; it is forgotten
     * unless its row is there.
     */
    static LeaseState recover(LeaseState state, @Nullable LeaseRequest refused, StoreSnapshot snapshot) {
        if (refused == null) {
            return recover(state, snapshot);
        }
        LeaseState learnt = recover(state.sending(refused), snapshot);
        return new LeaseState(learnt.held(), null);
    }

    /** Whether the row reserves less time than was granted: the store has lost data, or was set back. */
    static boolean isForgotten(Grant held, @Nullable WorkerRow row) {
        return row == null || row.reservedUntil() < held.until();
    }

    /**
     * The next request; empty if every number is taken. A request that was not answered by "done" is repeated
     * unchanged, so that there are never two; a first one only until its window is over.
     *
     * @param state after {@link #recover} with {@code snapshot}
     * @param failures how often in a row another process was faster; with more, the choice is among more numbers
     * @param random a random number of 0 or more
     */
    Optional<LeaseRequest> request(
            LeaseState state,
            StoreSnapshot snapshot,
            long clock,
            String owner,
            String token,
            int failures,
            int random) {
        Grant held = state.held();
        LeaseRequest sent = state.sent();
        if (sent != null && (held != null || !isFree(sent.next(), Math.min(clock, snapshot.storeTime())))) {
            return Optional.of(sent);
        }
        if (held != null) {
            return Optional.of(renewal(held, clock, token));
        }
        List<Long> free = free(snapshot, clock, choice(failures));
        if (free.isEmpty()) {
            return Optional.empty();
        }
        long worker = free.get(random % free.size());
        WorkerRow row = snapshot.row(worker);
        long from = row == null ? clock : Math.max(row.reservedUntil(), clock);
        long until = singleUse ? Long.MAX_VALUE : Math.max(from, clock) + windowMillis;
        return Optional.of(new LeaseRequest(row, new WorkerRow(worker, owner, until, token), from));
    }

    /** How many free numbers to choose from. No other process takes a single-use number that this one has burnt. */
    private int choice(int failures) {
        return singleUse ? 1 : 1 << Math.min(2 * failures, 16);
    }

    /** The request of a holder that remembers none; it depends on nothing that the store says. */
    LeaseRequest renewal(Grant held, long clock, String token) {
        long until = Math.max(held.until(), clock + windowMillis);
        return new LeaseRequest(
                held.row(), new WorkerRow(held.worker(), held.row().owner(), until, token), held.from());
    }

    /** The lowest free numbers, at most {@code most}. */
    private List<Long> free(StoreSnapshot snapshot, long clock, int most) {
        Map<Long, WorkerRow> rows = new HashMap<>();
        snapshot.rows().forEach(row -> rows.put(row.worker(), row));
        List<Long> free = new ArrayList<>();
        long lowest = singleUse ? withBurnt(burnt.with(snapshot.rows())).lowestToRead() : minWorker;
        for (long worker = lowest; worker <= maxWorker && free.size() < most; worker++) {
            WorkerRow row = rows.get(worker);
            if (row == null
                    ? !burnt.contains(worker)
                    : !singleUse && isFree(row, Math.min(clock, snapshot.storeTime()))) {
                free.add(worker);
            }
        }
        return free;
    }

    private static boolean isFree(WorkerRow row, long time) {
        return row.reservedUntil() <= (row.isHandedBack() ? time + HANDBACK_WAIT_MILLIS : time);
    }

    /**
     * The request that gives up the rest of a window; empty if there is no rest. The store may execute it or not.
     *
     * @param unused no id has this or a later time, now or later
     */
    Optional<LeaseRequest> handBack(LeaseState state, long unused, String token) {
        Grant held = state.held();
        if (held == null || singleUse || unused >= held.until()) {
            return Optional.empty();
        }
        long until = Math.max(unused, held.from());
        return Optional.of(new LeaseRequest(held.row(), new WorkerRow(held.worker(), "", until, token), until));
    }
}
