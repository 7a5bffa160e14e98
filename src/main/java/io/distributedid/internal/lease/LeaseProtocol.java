package io.distributedid.internal.lease;

import io.distributedid.internal.lease.LeaseState.Sighting;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The protocol by which one process at a time holds a right, as pure functions.
 *
 * <p><b>Protocol.</b> The store holds a row for each right: its number is the bound, its text names the owner and the
 * lease. It is replaced by compare-and-set on its version alone.
 *
 * <ol>
 *   <li>The holder renews the row in time, which may raise the bound. It uses values below the bound only.
 *   <li>Another process claims a row by one of two rules, {@link Rule}. Its values begin at the bound of the row that
 *       it replaced, or later.
 *   <li>A request without an answer may have been done, or be done later. So may a refused one: the driver may have
 *       sent it twice. A read decides ({@link #read}). A request that can still be done is repeated unchanged, so that
 *       there are never two. Only a claim whose values would all be in the past is given up: if it is done later, it
 *       holds nothing.
 *   <li><b>A claim is confirmed</b> by a read that began after it was answered, and shows the store's header in the
 *       version that it had before the claim was sent. A renewal is confirmed if it was answered before the former one
 *       ended; otherwise it is like a claim, and does not give back what others may have had meanwhile.
 *   <li>A process that stops, or gives a right up, uses no more values, and then may lower the bound to just above its
 *       last one ({@link #handBack}). Nobody waits for such a row. Until a read decides, that request is repeated too.
 * </ol>
 *
 * <p><b>Uniqueness</b> rests on no clock, as long as the store loses nothing. Let r0, r1, r2, ... be all rows that a
 * right ever had. No version is used twice, so a request that expects r(i) succeeds only while r(i) is there, and
 * r(i+1) has one author, who recognises it by its version. If that is the author of r(i), its values go on below a
 * higher bound. If not, they begin at the bound of r(i) or later. If it is a hand-back, its author gives up what lies
 * above. So no two processes own a value.
 *
 * <p><b>A store that loses rows</b> gives values twice unless whoever notices stops the others. It changes the header,
 * see {@link StoreRules}, and from then on no claim is confirmed that was sent before. Nor does a renewal come back to
 * life that was on its way for longer than its process could use the former row.
 *
 * <p><b>Order</b>, by the rule {@link Rule#UNCHANGED}: if an answer with the value a arrived before another call began,
 * that call gets a larger value b. A process takes its right, takes a value, checks that the same right still lasts by
 * its monotonic clock ({@link #isUsable}), and only then answers. If one process gave both, that is the order in which
 * it took them. If the values of a's process come before those of b's, b is larger. It remains that b's process had the
 * right before a's. It found its right, of a row r, to last at a moment t after the call began, hence after a was
 * answered. Its last row was replaced before a was taken, by a claimant that had seen it unchanged for the lease and a
 * hundredth. That row is r or a later one, so the claimant's wait began after the request for r was sent, from which
 * the right counts for the lease less a hundredth. So by two monotonic clocks whose rates differ by at most
 * {@value #MARGIN_TEXT}, the right had ended before t: a contradiction.
 *
 * @param rule when a row of another process may be claimed
 * @param lease how long the holder may go on without an answer of the store, in nanoseconds
 */
public record LeaseProtocol(Rule rule, long lease) {

    /** When a row may be claimed. */
    public enum Rule {
        /** Its bound is over, by the store's clock and the claimant's: for id times of worker numbers. */
        WINDOW_OVER(2),
        /** It was seen unchanged for a lease, by the claimant's monotonic clock: for what only one may do at a time. */
        UNCHANGED(3);

        /** The holder renews after this part of the lease. */
        private final int part;

        Rule(int part) {
            this.part = part;
        }
    }

    /** A row that was handed back may be claimed this long before its bound. Its new holder waits for the rest. */
    public static final long HANDBACK_WAIT_MILLIS = 1_000;

    static final String OWNER = "owner";

    static final String LEASE = "lease";

    /** The holder stops this part of the lease before its end, and a claimant waits for this part longer. */
    private static final int MARGIN = 100;

    static final String MARGIN_TEXT = "1 %";

    public LeaseProtocol {
        if (lease < MARGIN) {
            throw new IllegalArgumentException("A lease lasts for " + MARGIN + " ns or more: lease=" + lease);
        }
    }

    /** The name of the process that holds a row, for messages; empty if it was handed back, or never claimed. */
    public static String owner(Row row) {
        return row.text().get(OWNER).orElse("");
    }

    private static boolean isHandedBack(Row row) {
        return owner(row).isEmpty();
    }

    /** Whether a right lasts by the monotonic clock of this process, which shows {@code now}. */
    public boolean isUsable(Lease held, long now) {
        return left(held, now) > 0;
    }

    /** How long a right lasts without another answer, by the monotonic clock; 0 or less if it is over. */
    public long left(Lease held, long now) {
        return held.since() + lease - lease / MARGIN - now;
    }

    /**
     * Whether a right lasts by both clocks of this process: the monotonic one may stand still while a machine is
     * suspended.
     */
    boolean lasts(Lease held, long time, long now) {
        return isUsable(held, now) && (rule == Rule.UNCHANGED || time < held.bound());
    }

    /** How long a right need not be renewed; 0 or less if it is due. */
    public long pause(Lease held, long now) {
        return held.since() + lease / rule.part - now;
    }

    /** Whether a request is due: the right is to be renewed, or one that was sent has no answer. */
    public boolean isDue(LeaseState state, long now) {
        Lease held = state.held();
        return state.sent() != null || held == null || pause(held, now) <= 0;
    }

    /**
     * The state after rows were read.
     *
     * @param rows by name, with those that are held or asked for
     * @param header the version of the store's header, read no earlier than the rows; null if rights may not be claimed
     *     now. A renewal that was sent then, and answered too late, is confirmed by no header
     * @param time after the answer, by this process's clock
     * @param answered after the answer, by this process's monotonic clock
     */
    public LeaseState read(
            LeaseState state, Map<String, Row> rows, @Nullable Version header, long time, long answered) {
        LeaseRequest sent = state.sent();
        if (sent != null && sent.isDone(rows)) {
            return done(state, time, answered);
        }
        LeaseRequest open = sent != null && sent.isPossible(rows) ? sent : null;
        Lease held = state.held();
        if (held == null) {
            return new LeaseState(null, open, state.seen());
        }
        Row found = rows.get(held.row().name());
        if (found == null || !found.version().equals(held.row().version())) {
            return LeaseState.EMPTY;
        }
        boolean isShown = held.unconfirmed() != null && held.unconfirmed().equals(header);
        Lease now = isShown ? held.confirmed() : held;
        return new LeaseState(now.isConfirmed() && !lasts(now, time, answered) ? now.ended() : now, open, null);
    }

    /** The state after a row of another process was read, for which this one waits. */
    public LeaseState watch(LeaseState state, Row row, long answered) {
        Sighting seen = state.seen();
        boolean isSame = seen != null && seen.row().version().equals(row.version());
        return isSame || state.held() != null ? state : new LeaseState(null, state.sent(), new Sighting(row, answered));
    }

    /**
     * The state after the request was answered by "done".
     *
     * @param time after the answer, by this process's clock
     * @param answered after the answer, by its monotonic clock
     */
    public LeaseState done(LeaseState state, long time, long answered) {
        LeaseRequest sent = Objects.requireNonNull(state.sent());
        Lease before = state.held();
        Lease granted = sent.lease();
        if (granted == null) {
            return LeaseState.EMPTY;
        }
        boolean isInTime = before != null && before.isConfirmed() && lasts(before, time, answered);
        return new LeaseState(isInTime ? granted.confirmed() : granted, null, null);
    }

    /**
     * Whether a row may be claimed.
     *
     * @param time the store's, or that of this process's clock if that is earlier
     * @param now of the monotonic clock
     */
    public boolean mayClaim(LeaseState state, Row row, long time, long now) {
        if (isHandedBack(row)) {
            return rule == Rule.UNCHANGED || row.number() <= time + HANDBACK_WAIT_MILLIS;
        }
        Sighting seen = state.seen();
        return switch (rule) {
            case WINDOW_OVER -> row.number() <= time;
            case UNCHANGED ->
                seen != null && seen.row().version().equals(row.version()) && now - seen.since() >= waits(row);
        };
    }

    /** The text of a row that a process holds. */
    public Fields text(String owner) {
        return Fields.NONE.with(OWNER, owner).with(LEASE, lease);
    }

    /** How long a row must be seen unchanged before it may be claimed. */
    public long waits(Row row) {
        long longer = Math.max(lease, row.text().get(LEASE).map(Long::parseLong).orElse(0L));
        return longer + longer / MARGIN;
    }

    /** Whether the request that is remembered is repeated. If not, {@link LeaseState#forgetting}. */
    public boolean isRepeated(LeaseState state, long time) {
        LeaseRequest sent = state.sent();
        return sent != null
                && (state.held() != null
                        || rule == Rule.UNCHANGED
                        || sent.change().next().number() > time);
    }

    /**
     * The request to claim a row that {@link #mayClaim}.
     *
     * @param header the version of the store's header, which is open
     * @param from the first value; it is raised to the bound of the row
     * @param bound above {@code from}
     * @param token random; used for nothing else
     */
    public LeaseRequest claim(Row row, Version header, long from, long bound, String owner, String token, long now) {
        return request(row, new Values(Math.max(from, row.number()), bound), header, owner, token, now);
    }

    /**
     * The request to renew a right. If that is not confirmed, it is asked for anew under the header of now: its first
     * value is raised to {@code from}.
     */
    public LeaseRequest renew(Lease held, Version header, long from, long bound, String owner, String token, long now) {
        long first = held.isConfirmed() ? held.from() : Math.max(held.from(), from);
        return request(held.row(), new Values(first, Math.max(bound, held.bound())), header, owner, token, now);
    }

    private record Values(long from, long bound) {}

    private LeaseRequest request(Row row, Values values, Version header, String owner, String token, long now) {
        Change change = Change.replace(row, token, Math.max(values.from, values.bound), Row.State.NONE, text(owner));
        return new LeaseRequest(change, new Lease(change.next(), values.from, now, header));
    }

    /**
     * The change that ends a right; empty if this process has none. The store may make it or not.
     *
     * @param unused this process uses neither this nor a larger value, now or later
     */
    public static Optional<Change> handBack(LeaseState state, long unused, String token) {
        return Optional.ofNullable(state.held()).map(held -> {
            long bound = Math.min(held.bound(), Math.max(unused, held.from()));
            return Change.lower(held.row(), token, bound, Row.State.NONE, Fields.NONE);
        });
    }
}
