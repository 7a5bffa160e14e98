package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One right that this process has or wants. The {@link LeaseRunner} that keeps it changes it; others read
 * {@link #current}. Thread-safe for that.
 */
public final class Right {

    /** Which rows give the right, and how far it goes. Called by the thread that uses the store. */
    public interface Claims {

        /** The names of rows of which one gives the right. */
        List<String> rows(StoreHeader header);

        /** The lowest and the highest worker number that is wanted; empty if the rows are fixed. */
        default Optional<Numbers> numbers() {
            return Optional.empty();
        }

        /**
         * The first value of a right that is claimed now; it is raised to the bound of the row.
         *
         * @param now the clock of this process, near the store's
         */
        long from(long now);

        /**
         * The bound to ask for.
         *
         * @param from the first value
         * @param now the clock of this process, near the store's
         */
        long bound(StoreHeader header, long from, long now);
    }

    /** The worker numbers that a process may have. */
    public record Numbers(long first, long last) {}

    final LeaseProtocol.Rule rule;

    final Claims claims;

    /** Whether it is renewed only if somebody has looked at it since the last renewal. */
    private final boolean isWhileUsed;

    /** How long the holder may go on without an answer, in nanoseconds; 0 if that is the store's window. */
    final long lease;

    /** Names this process to others, in the row. */
    final String owner;

    /** Used by the thread that uses the store. */
    LeaseState state = LeaseState.EMPTY;

    /** How often in a row others were faster. */
    int refusals;

    private volatile @Nullable Lease current;

    private volatile @Nullable Row other;

    private volatile boolean isUsed = true;

    private volatile long takeovers;

    private Right(LeaseProtocol.Rule rule, Claims claims, long lease, boolean isWhileUsed, String owner) {
        this.rule = rule;
        this.claims = claims;
        this.lease = lease;
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
        return new Right(LeaseProtocol.Rule.WINDOW_OVER, new WorkerClaims(numbers), 0, isWhileUsed, owner);
    }

    /**
     * The right of one process at a time.
     *
     * @param lease how long it may go on without an answer of the store, in nanoseconds
     * @param owner names this process in messages of others; not empty
     */
    public static Right exclusive(Claims claims, long lease, String owner) {
        return new Right(LeaseProtocol.Rule.UNCHANGED, claims, lease, false, owner);
    }

    static List<String> rows(Numbers wanted, StoreHeader header) {
        return LongStream.range(wanted.first, Math.min(wanted.last + 1, header.workers()))
                .mapToObj(StoreHeader::worker)
                .toList();
    }

    private record WorkerClaims(Numbers wanted) implements Claims {

        @Override
        public List<String> rows(StoreHeader header) {
            return Right.rows(wanted, header);
        }

        @Override
        public Optional<Numbers> numbers() {
            return Optional.of(wanted);
        }

        @Override
        public long from(long now) {
            return now;
        }

        @Override
        public long bound(StoreHeader header, long from, long now) {
            return Math.max(from, now) + header.window();
        }
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

    LeaseProtocol protocol(StoreHeader header) {
        return new LeaseProtocol(rule, lease == 0 ? TimeUnit.MILLISECONDS.toNanos(header.window()) : lease);
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

    boolean isUnanswered() {
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

    /** Takes over what the protocol says. */
    void learn(LeaseState next) {
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
}
