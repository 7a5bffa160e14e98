package io.distributedid.internal.tenure;

import io.distributedid.internal.tenure.TenureState.Sighting;
import org.jspecify.annotations.Nullable;

/**
 * The protocol by which at most one process at a time acts as the owner of something, as pure functions. {@link Tenure}
 * runs them against a {@link TenureStore}; the tests explore all their interleavings.
 *
 * <p><b>Protocol.</b> The store holds one row: (owner, bound, lease, token). It is replaced by compare-and-set alone,
 * each time with a new random token.
 *
 * <ol>
 *   <li>The owner renews the row in time. Its term counts from before it <em>sent</em> the request that was done, by
 *       its own monotonic clock, and lasts for the lease less a hundredth.
 *   <li>A claimant replaces a row of another process once it knows it to be unchanged for a whole lease and a
 *       hundredth: by its own monotonic clock, from after the answer with that row. The lease is the longer one of the
 *       row's and its own. A row that was handed back, or was never written, needs no wait.
 *   <li>A request without an answer may have been done, or be done later. A refused one may have been done by an
 *       earlier attempt of the driver. So the store is read before the next request ({@link #read}). A request that can
 *       still be done is repeated unchanged, so that there are never two. A request that was done counts from before it
 *       was first sent.
 *   <li>The owner uses values below the row's bound only. A renewal may raise the bound. The next owner begins at the
 *       bound of the row that it replaced.
 *   <li>To use a value for a call that has begun, a process reads its term, takes the value below the bound of that
 *       term, checks that this same term still lasts, and only then answers. Otherwise it drops the value.
 *   <li>A process that stops takes no more values, and then may hand the row back with the bound above its last one
 *       ({@link #handBack}).
 * </ol>
 *
 * <p><b>Uniqueness</b> rests on no clock. Let r0, r1, r2, ... be all rows. No token is used twice, so r(i+1) has one
 * author, who saw r(i). If that is the author of r(i), the values of its tenure go on below a higher bound. If not, its
 * values begin at the bound of r(i). So no two owners use the same value.
 *
 * <p><b>Order</b>: if an answer with the value a arrived before another call began, the answer of that call has a
 * larger value b. If one tenure gave both, that is the order in which it took them. If the tenure of a was before that
 * of b, all values of the later one are larger. It remains that the tenure of b cannot be before that of a. Its process
 * found its term, of a row r, to last at a moment t after the call began, hence after a was answered. The last row of
 * that tenure was replaced before a was taken, by a claimant that had read it and then waited. That row is r or a later
 * one. So the wait began after the request for r was sent, from which the term counts, and it is longer than the term
 * by both clocks if these differ in rate by no more than {@value #MARGIN_TEXT}. So the term was over when the row was
 * replaced, which was before t: a contradiction. Or the row was handed back: then its process takes no more values.
 *
 * <p>It relies on these facts: the store's compare-and-set is atomic, and the store does not lose what it has answered;
 * tokens differ; the state of a process exists only once. Order also relies on monotonic clocks that differ in rate by
 * at most {@value #MARGIN_TEXT}, and that do not stand still while others run. Wall clocks, pauses of any length, and
 * lost or late answers break neither.
 *
 * @param lease how long the owner may act without another answer of the store, in nanoseconds
 */
public record TenureProtocol(long lease) {

    /** The owner stops this part of the lease before its end, and a claimant waits for this part longer. */
    private static final int MARGIN = 100;

    static final String MARGIN_TEXT = "1 %";

    /** The owner renews after this part of the lease. */
    private static final int RENEWAL = 3;

    public TenureProtocol {
        if (lease < MARGIN) {
            throw new IllegalArgumentException("A lease must last for " + MARGIN + " ns or more: lease=" + lease);
        }
    }

    /** How long a term lasts, from before its request was sent. */
    public long usable() {
        return lease - lease / MARGIN;
    }

    /** How long a row must be seen unchanged before it may be replaced. */
    public long wait(@Nullable TenureRow row) {
        if (row == null || row.isHandedBack()) {
            return 0;
        }
        long longer = Math.max(lease, row.lease());
        return longer + longer / MARGIN;
    }

    /**
     * The state after the store was read.
     *
     * @param row null if there is none
     * @param answered after the answer, by the clock of this process
     */
    public TenureState read(TenureState state, @Nullable TenureRow row, long answered) {
        TenureRequest sent = state.sent();
        if (sent != null && sent.next().equals(row)) {
            return granted(sent);
        }
        Term held = state.held();
        if (held != null && held.row().equals(row)) {
            return state;
        }
        Sighting known = state.seen();
        if (held == null && known != null && known.isOf(row)) {
            return state;
        }
        // The row that an unanswered request expects is gone for good.
        return new TenureState(null, null, new Sighting(row, answered));
    }

    /** The state after the request was done. */
    public TenureState granted(TenureRequest done) {
        return new TenureState(new Term(done.next(), done.from(), done.since() + usable()), null, null);
    }

    /** How long nothing needs to be sent; 0 or less if a request is due. The state is that after a read. */
    public long pause(TenureState state, long now) {
        if (state.sent() != null) {
            return 0;
        }
        Term held = state.held();
        if (held != null) {
            return held.end() - usable() + lease / RENEWAL - now;
        }
        Sighting seen = state.seen();
        return seen == null ? Long.MAX_VALUE : seen.since() + wait(seen.row()) - now;
    }

    /** The first value of the tenure that the next request begins or goes on with. */
    public static long from(TenureState state) {
        Term held = state.held();
        if (held != null) {
            return held.from();
        }
        Sighting seen = state.seen();
        return seen == null || seen.row() == null ? 0 : seen.row().bound();
    }

    /**
     * The next request of a state without an unanswered one: to renew the row, or to claim it once {@link #pause} is
     * over.
     *
     * @param bound the new bound; a lower one than the row's is raised to that
     * @param now before the request is sent
     */
    public TenureRequest request(TenureState state, long bound, String owner, String token, long now) {
        Term held = state.held();
        Sighting seen = state.seen();
        TenureRow expected = held != null ? held.row() : seen == null ? null : seen.row();
        long atLeast = expected == null ? 0 : expected.bound();
        return new TenureRequest(
                expected, new TenureRow(owner, Math.max(bound, atLeast), lease, token), from(state), now);
    }

    /**
     * The request that ends a tenure. The store may execute it or not.
     *
     * @param unused this process uses neither this nor a larger value, now or later
     */
    public TenureRequest handBack(Term held, long unused, String token, long now) {
        long bound = Math.max(unused, held.from());
        return new TenureRequest(held.row(), new TenureRow("", bound, lease, token), held.from(), now);
    }
}
