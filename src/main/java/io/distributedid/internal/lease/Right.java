package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One right that this process has or wants: the state of {@link LeaseProtocol}, and what to ask for. The thread that
 * uses the store changes it; others read {@link #current}, {@link #shown}, {@link #takeovers} and {@link #other}.
 * Thread-safe for that.
 */
public final class Right {

    /** How far the right goes. Called by the thread that uses the store. */
    public interface Claims {

        /**
         * The first value of a right that is claimed now; it is raised to the bound of the row.
         *
         * @param now the clock of this process, near the store's
         */
        long from(long now);

        /**
         * The bound to ask for.
         *
         * @param held what is renewed; null for a claim
         * @param from the first value
         * @param now the clock of this process, near the store's
         */
        long bound(@Nullable Lease held, long from, long now);
    }

    /** The worker numbers that a process may have. */
    public record Numbers(long first, long last) {}

    final LeaseProtocol.Rule rule;

    /** The worker numbers of which one is wanted; empty if the row is fixed. */
    final Optional<Numbers> numbers;

    /** The fixed row; empty if there is none. */
    final String row;

    final Optional<Claims> claims;

    /** Whether it is renewed only if somebody has looked at it since the last renewal. */
    private final boolean isWhileUsed;

    /** Of a worker number it is null before the store has said how long windows are. */
    private volatile @Nullable LeaseProtocol protocol;

    /** Names this process to others, in the row. */
    final String owner;

    /** Used by the thread that uses the store. */
    LeaseState state = LeaseState.EMPTY;

    /** How often in a row a request was refused, in one step; at most 1 at its beginning. */
    int refusals;

    private volatile @Nullable Lease current;

    private volatile @Nullable Row other;

    private volatile boolean isUsed = true;

    private volatile long takeovers;

    private Right(
            Optional<Numbers> numbers,
            String row,
            Optional<Claims> claims,
            @Nullable LeaseProtocol protocol,
            boolean isWhileUsed,
            String owner) {
        this.rule = numbers.isPresent() ? LeaseProtocol.Rule.WINDOW_OVER : LeaseProtocol.Rule.UNCHANGED;
        this.numbers = numbers;
        this.row = row;
        this.claims = claims;
        this.protocol = protocol;
        this.isWhileUsed = isWhileUsed;
        this.owner = owner;
    }

    /**
     * The right to put a worker number into ids, for windows of id time.
     *
     * @param numbers that the process may have
     * @param isWhileUsed whether a window is renewed only while it is used, since the store is this machine's disk; the
     *     first caller after a pause then waits for the renewal
     * @param owner names this process in messages of others; not empty
     */
    public static Right worker(Numbers numbers, boolean isWhileUsed, String owner) {
        return new Right(Optional.of(numbers), "", Optional.empty(), null, isWhileUsed, owner);
    }

    /**
     * The right of one process at a time.
     *
     * @param row its name
     * @param lease how long it may go on without an answer of the store, in nanoseconds
     * @param owner names this process in messages of others; not empty
     */
    public static Right exclusive(String row, Claims claims, long lease, String owner) {
        LeaseProtocol protocol = new LeaseProtocol(LeaseProtocol.Rule.UNCHANGED, lease);
        return new Right(Optional.empty(), row, Optional.of(claims), protocol, false, owner);
    }

    static List<String> rows(Numbers wanted, StoreHeader header) {
        return LongStream.range(wanted.first, Math.min(wanted.last + 1, header.workers()))
                .mapToObj(StoreHeader::worker)
                .toList();
    }

    /** The names of rows of which one gives the right. */
    List<String> rows(StoreHeader header) {
        return numbers.map(wanted -> rows(wanted, header)).orElse(List.of(row));
    }

    /**
     * The newest right, which may have ended: the same object until it is renewed. Null if there is none, or if another
     * process has taken the row while the right lasted.
     */
    public @Nullable Lease current() {
        if (isWhileUsed && !isUsed) {
            isUsed = true;
        }
        return current;
    }

    /** As {@link #current}, which does not count as use. */
    public @Nullable Lease shown() {
        return current;
    }

    /** How often this process got the right. */
    public long takeovers() {
        return takeovers;
    }

    /** Whether it is to be renewed in time. */
    boolean isWatched() {
        return !isWhileUsed || isUsed;
    }

    /** The row of the process that has the right instead of this one; null if there is none. */
    public @Nullable Row other() {
        return other;
    }

    /** Learns how long windows of the store are, in milliseconds. */
    void window(long millis) {
        if (rule == LeaseProtocol.Rule.WINDOW_OVER) {
            protocol = new LeaseProtocol(rule, TimeUnit.MILLISECONDS.toNanos(millis));
        }
    }

    LeaseProtocol protocol() {
        return Objects.requireNonNull(protocol);
    }

    /** The rows that it holds or has asked for. */
    List<String> rows() {
        Lease held = state.held();
        LeaseRequest sent = state.sent();
        return Stream.concat(
                        held == null ? Stream.of() : Stream.of(held.row().name()),
                        sent == null ? Stream.of() : Stream.of(sent.name()))
                .distinct()
                .toList();
    }

    public boolean isUnanswered() {
        return state.sent() != null;
    }

    /** Whether it may be renewed without a look at the store. */
    boolean mayBeRenewed() {
        return isConfirmed() && !isUnanswered();
    }

    boolean isLost(Page page) {
        Lease held = state.held();
        return held != null && held.isLost(page);
    }

    boolean isHeld() {
        return state.held() != null;
    }

    /** Whether the right is held, and may be used. */
    boolean isConfirmed() {
        Lease held = state.held();
        return held != null && held.isConfirmed();
    }

    /** What this process holds, which may have ended, or not be confirmed yet; null while it gives the right up. */
    public @Nullable Lease held() {
        LeaseRequest sent = state.sent();
        return sent != null && sent.lease() == null ? null : state.held();
    }

    /** Whether a step has something to do for it. */
    boolean isDue(long now) {
        return !isConfirmed() || protocol().isDue(state, now);
    }

    /** Whether it lasts. A window of id time has no other end than its bound. */
    boolean isUsable(Lease lease, long now) {
        return rule == LeaseProtocol.Rule.WINDOW_OVER || protocol().isUsable(lease, now);
    }

    /** Takes over what a store says. */
    public void read(Look look) {
        Version header = look.isOpen() ? look.header().version() : null;
        LeaseState next = protocol().read(state, look.page().rows(), header, look.millis(), look.answered());
        Row found = look.page().rows().get(row);
        learn(found == null ? next : protocol().watch(next, found, look.answered()));
    }

    /** Takes over that the request was done. */
    public void done(long time, long answered) {
        refusals = 0;
        learn(protocol().done(state, time, answered));
    }

    private void learn(LeaseState next) {
        boolean wasHeld = isConfirmed();
        state = next;
        Lease held = next.held();
        if (held != null && held.isConfirmed()) {
            takeovers += wasHeld ? 0 : 1;
            isUsed = false;
            current = held;
        }
        LeaseState.Sighting seen = next.seen();
        other = held != null || seen == null || LeaseProtocol.owner(seen.row()).isEmpty() ? null : seen.row();
    }

    /** Ends it at once: others may have it. */
    void end() {
        state = LeaseState.EMPTY;
        current = null;
    }

    /**
     * The request to send after a look: the one that has no answer, unchanged; or to renew, confirm, or claim.
     *
     * @param free chooses the row to claim
     * @param isWanted whether a right is renewed that is not due yet
     * @param token random; used for nothing else
     * @param now of the monotonic clock
     */
    public Optional<Change> request(Look look, Supplier<Optional<Row>> free, boolean isWanted, String token, long now) {
        if (!protocol().isRepeated(state, look.time())) {
            state = state.forgetting();
            Lease held = state.held();
            boolean isDue = held == null
                    || (held.isConfirmed()
                            ? isWanted || protocol().isDue(state, now)
                            : !look.header().version().equals(held.unconfirmed()));
            if (!isDue || (!isConfirmed() && !look.isOpen())) {
                return Optional.empty();
            }
            Version header = look.header().version();
            if (held != null) {
                renew(header, look.millis(), token, now);
            } else {
                free.get().ifPresent(each -> claim(each, header, look.millis(), token, now));
            }
        }
        return Optional.ofNullable(state.sent()).map(LeaseRequest::change);
    }

    /** Asks for more of what is held. */
    Change renew(Version header, long millis, String token, long now) {
        Lease held = Objects.requireNonNull(state.held());
        long from = from(millis);
        long bound = bound(held, held.isConfirmed() ? held.from() : Math.max(held.from(), from), millis);
        LeaseRequest request = protocol().renew(held, header, from, bound, owner, token, now);
        state = state.sending(request);
        return request.change();
    }

    private void claim(Row free, Version header, long millis, String token, long now) {
        long from = Math.max(free.number(), from(millis));
        long bound = bound(null, from, millis);
        state = state.sending(protocol().claim(free, header, from, bound, owner, token, now));
    }

    private long from(long now) {
        return claims.map(each -> each.from(now)).orElse(now);
    }

    /** A window of id time begins at the clock, or where it has begun. */
    private long bound(@Nullable Lease held, long from, long now) {
        return claims.map(each -> each.bound(held, from, now))
                .orElse(Math.max(from, now)
                        + TimeUnit.NANOSECONDS.toMillis(protocol().lease()));
    }

    /** Gives the right up with the next request, which leaves the bound. Nobody may use it from now on. */
    public void leave(String token) {
        LeaseProtocol.handBack(state, Long.MAX_VALUE, token)
                .ifPresent(change -> state = state.sending(new LeaseRequest(change, null)));
    }

    /** The row that others have left, or do not renew any more, as far as it was read; empty if there is none. */
    public Optional<Row> free(long now) {
        LeaseState.Sighting seen = state.seen();
        return seen != null && protocol().mayClaim(state, seen.row(), 0, now)
                ? Optional.of(seen.row())
                : Optional.empty();
    }

    /** The request that gives the right up, and has no answer; empty if there is none. */
    public Optional<Change> leaving() {
        LeaseRequest sent = state.sent();
        return sent != null && sent.lease() == null ? Optional.of(sent.change()) : Optional.empty();
    }
}
