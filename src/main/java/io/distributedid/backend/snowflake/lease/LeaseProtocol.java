package io.distributedid.backend.snowflake.lease;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How worker numbers and windows of id time are given to processes, as pure functions: {@link Lease} runs them against
 * a {@link WorkerStore}, and the tests explore all their interleavings.
 *
 * <p><b>Protocol.</b> The store holds a row for each worker number, (owner, reserved_until, token). A process that
 * wants a window
 *
 * <ol>
 *   <li>reads the row of the number that it holds, or all rows if it holds none;
 *   <li>settles what it remembers against them ({@link #recover});
 *   <li>chooses what to ask for ({@link #request}): its own number again with a later end, or the lowest number whose
 *       reserved time is over by the store's clock and by its own;
 *   <li>replaces that row by compare-and-set with one of a new token, and remembers the request until it is answered.
 * </ol>
 *
 * An answer that says "done", or its own row found in the store by {@link #recover}, grants the window from the old
 * row's {@code reserved_until}, or the process's clock if that is later, or from where its own window began, to the new
 * row's. A process composes an id only if the id's time lies in a window that it was granted. When it stops, after its
 * last id, it may set {@code reserved_until} back to just above that id ({@link #handBack}), also by compare-and-set.
 *
 * <p><b>Obligation.</b> No (worker number, id time) is ever owned by two processes. Let r0, r1, r2, ... be all rows
 * that a number ever had. Tokens are never used twice, so a compare-and-set that expects r(i) is done only while r(i)
 * stands, and by one process alone: r(i+1) has one author, who knows it by its token. If r(i+1) is a request of the
 * author of r(i), it prolongs a window that ended where the new part begins. If it is a request of anybody else, its
 * window begins at or after the end of r(i). If it is a hand-back, its author is the author of r(i), who gives up what
 * lies above and composes no id any more. So every window lies above all those before it, less what was given up.
 *
 * <p>What it rests on: the store's compare-and-set is atomic and what it has answered is not forgotten; tokens differ;
 * and the state of a process exists once. It rests on <b>no clock</b>: clocks decide which window is asked for, never
 * whether it is granted, so that neither a clock that is wrong, nor a pause of any length, nor a lost or late answer
 * breaks it. (That a window begins no earlier than the clock that asked for it is for a store that has forgotten later
 * windows than its rows say: see {@link StoreClient}.)
 *
 * @param windowMillis how far ahead of the clock a window ends
 * @param minWorker the lowest number
 * @param maxWorker the largest number
 * @param singleUse whether a number is never used again; its window then has no end
 */
public record LeaseProtocol(long windowMillis, long minWorker, long maxWorker, boolean singleUse) {

    /** Of numbers that are never used again, those that were skipped are looked for so far below the highest one. */
    private static final int SKIPPED = 1_024;

    /** A number that was handed back may be reserved for this much longer: its new owner waits for the rest. */
    static final long A_MOMENT_MILLIS = 1_000;

    /** With windows of another length. */
    LeaseProtocol withWindow(long millis) {
        return millis == windowMillis ? this : new LeaseProtocol(millis, minWorker, maxWorker, singleUse);
    }

    /**
     * The lowest number that has to be read before a request.
     *
     * @param highest that has a row; -1 if none has
     */
    long lowestToRead(long highest) {
        return singleUse ? Math.max(minWorker, highest - SKIPPED + 1) : minWorker;
    }

    /** Whether a process needs to talk to the store. */
    boolean isDue(LeaseState state, long clock) {
        Grant held = state.held();
        return held == null || held.until() - clock <= windowMillis / 2;
    }

    /**
     * What is known once the store has been read: a request whose answer was lost is granted if its row is there, and a
     * number is no longer held if another row is in its place.
     */
    static LeaseState recover(LeaseState state, StoreSnapshot snapshot) {
        LeaseRequest sent = state.sent();
        if (sent != null && sent.next().equals(snapshot.row(sent.next().worker()))) {
            return state.answered(true);
        }
        Grant held = state.held();
        if (held != null && !held.row().equals(snapshot.row(held.worker()))) {
            return LeaseState.EMPTY;
        }
        return state;
    }

    /**
     * Whether a row that is no longer as its owner wrote it says less than was granted: the store's data was lost, or
     * set back.
     */
    static boolean isForgotten(Grant held, @Nullable WorkerRow row) {
        return row == null || row.reservedUntil() < held.until();
    }

    /**
     * What to ask for. A request that was sent and has not been done is sent again as it was, so that there are never
     * two of them.
     *
     * @param state after {@link #recover} with {@code snapshot}
     * @param failures how often in a row somebody else was faster; the more, the less the lowest number is preferred
     * @param dice a number of 0 or more, random
     * @return empty if every number is taken
     */
    Optional<LeaseRequest> request(
            LeaseState state, StoreSnapshot snapshot, long clock, String owner, String token, int failures, int dice) {
        Grant held = state.held();
        if (held != null) {
            LeaseRequest sent = state.sent();
            return Optional.of(sent != null ? sent : renewal(held, clock, token));
        }
        List<Long> free = free(snapshot, clock, choice(failures));
        if (free.isEmpty()) {
            return Optional.empty();
        }
        long worker = free.get(dice % free.size());
        WorkerRow row = snapshot.row(worker);
        long from = row == null ? clock : Math.max(row.reservedUntil(), clock);
        long until = singleUse ? Long.MAX_VALUE : Math.max(from, clock) + windowMillis;
        return Optional.of(new LeaseRequest(row, new WorkerRow(worker, owner, until, token), from));
    }

    /** From how many a number is chosen. Of those that are used once each one skipped may be lost. */
    private int choice(int failures) {
        return singleUse ? 1 + 8 * failures : 1 << Math.min(2 * failures, 16);
    }

    private LeaseRequest renewal(Grant held, long clock, String token) {
        long until = Math.max(held.until(), clock + windowMillis);
        return new LeaseRequest(
                held.row(), new WorkerRow(held.worker(), held.row().owner(), until, token), held.from());
    }

    /** The lowest numbers that may be claimed, at the most {@code most}. */
    private List<Long> free(StoreSnapshot snapshot, long clock, int most) {
        Map<Long, WorkerRow> rows = new HashMap<>();
        snapshot.rows().forEach(row -> rows.put(row.worker(), row));
        List<Long> free = new ArrayList<>();
        for (long worker = lowestToRead(highest(snapshot)); worker <= maxWorker && free.size() < most; worker++) {
            WorkerRow row = rows.get(worker);
            if (row == null || (!singleUse && isFree(row, Math.min(clock, snapshot.storeTime())))) {
                free.add(worker);
            }
        }
        return free;
    }

    private static long highest(StoreSnapshot snapshot) {
        return snapshot.rows().stream().mapToLong(WorkerRow::worker).max().orElse(-1);
    }

    private static boolean isFree(WorkerRow row, long time) {
        return row.reservedUntil() <= (row.isHandedBack() ? time + A_MOMENT_MILLIS : time);
    }

    /**
     * Gives up the rest of a window.
     *
     * @param unused no id was composed, or ever will be, with this or a later time
     * @return to be done by the store, or not; empty if there is no rest
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
