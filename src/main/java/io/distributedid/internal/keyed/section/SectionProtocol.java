package io.distributedid.internal.keyed.section;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.tenure.TenureProtocol;
import io.distributedid.internal.tenure.TenureRequest;
import io.distributedid.internal.tenure.TenureState;
import io.distributedid.internal.tenure.Term;
import java.util.Objects;

/**
 * The protocol by which at most one process at a time gives the numbers of a section, as pure functions. A section is a
 * fixed part of the keys. The tests explore all interleavings.
 *
 * <p><b>Protocol.</b> A section is a {@link TenureProtocol}: the store holds one row (owner, max, lease, token) for it,
 * which is replaced by compare-and-set alone. {@code max} is the row's bound. Claims, renewals and lost answers are
 * treated there. What a section adds:
 *
 * <ol>
 *   <li>The base of a tenure is the {@code max} of the row that it replaced. Its owner begins each key above the base,
 *       and gives no number above the {@code max} of its own row.
 *   <li>Every claim raises {@code max} by a step. So no two tenures have the same base.
 *   <li>The owner raises {@code max} to a step above the largest number wanted, before that is a sixteenth of a step
 *       from {@code max} ({@link #pause}). That is one write for 15/16 of a step of numbers or more, and a new owner
 *       skips at most a step.
 *   <li>For each call, the owner reads its term, increments the key within {@code max}, then checks that the lease of
 *       this tenure lasts, and only then answers ({@link Section#next}). A number without an answer is a gap.
 *   <li>To hand the section over, the owner first lets no call begin ({@link Section#learn}), then writes the row
 *       without an owner and with the same {@code max} ({@link #handOver}). The next owner does not wait.
 *   <li>Within its tenure the owner may forget all keys. It raises {@code max} first, and begins each key above the
 *       {@code max} that it had before ({@link OwnedSection#withoutKeys}).
 *   <li>Nothing ever lowers {@code max}.
 * </ol>
 *
 * <p><b>Uniqueness and growth</b> rest on no clock. Each row has one author, who saw the row before (see
 * {@link TenureProtocol}). So the numbers of a tenure lie above its base, up to its last {@code max}, and the base of
 * the next tenure is that {@code max} or larger. Within a tenure a key's counter only grows. A call that still uses
 * forgotten counters gets a number up to the {@code max} that it read, hence below all that follow.
 *
 * <p><b>Order</b>: if a call for a key was answered with a before another one for that key began, the other is answered
 * with a larger number b.
 *
 * <ul>
 *   <li>If one tenure gave both, b was incremented after a, in the same counter or in one with a larger base.
 *   <li>If the tenure of a came before that of b, b is above its base, and a is not.
 *   <li>The tenure of a can't have come after that of b. The call of b found the lease of its tenure to last at a
 *       moment after it began, so no later tenure had begun by then, if monotonic clocks differ in rate by no more than
 *       1 % and do not stand still while others run. That is proven in {@link TenureProtocol}.
 *   <li>A call may go on during a hand-over. It began before the row was written, so before the next owner's first
 *       answer. Its number is at most {@code max}, which the hand-over keeps.
 * </ul>
 *
 * <p>Both the last rule and the increment before the check cover that case. If a hand-over lowered {@code max} to the
 * largest number given, and calls checked before they increment, a number would be given twice.
 *
 * @param tenure the lease
 * @param step by how much {@code max} is raised; also the largest number of numbers for one call
 */
public record SectionProtocol(TenureProtocol tenure, int step) {

    /** The owner raises {@code max} when this part of a step is left. */
    private static final int AHEAD = 16;

    public SectionProtocol {
        Objects.requireNonNull(tenure, "tenure");
        if (step < 1) {
            throw new IllegalArgumentException("A step must be 1 or more: step=" + step);
        }
    }

    /**
     * How long nothing needs to be sent, in nanoseconds; 0 or less if a request is due.
     *
     * @param state after a read
     * @param wanted the largest number that was wanted in this tenure, or 0
     * @param now by the monotonic clock of this process
     */
    public long pause(TenureState state, long wanted, long now) {
        Term held = state.held();
        return held != null && mustRaise(held, wanted) ? 0 : tenure.pause(state, now);
    }

    /** Whether {@code max} has to be raised for a number, or soon. */
    boolean mustRaise(Term held, long wanted) {
        return wanted > warning(held);
    }

    /** Numbers above this one have {@code max} raised. */
    long warning(Term held) {
        return held.bound() - step / AHEAD - 1;
    }

    /**
     * The next request: to renew the lease, to raise {@code max}, or to claim the section once {@link #pause} is over.
     *
     * @param state without an unanswered request: that one is repeated unchanged
     * @param wanted the largest number that was wanted in this tenure, or 0
     * @param owner names this process
     * @param token random, never used before
     * @param now before the request is sent, by the monotonic clock of this process
     * @throws IdsExhaustedException if {@code max} would exceed 2^63 - 1
     */
    public TenureRequest request(TenureState state, long wanted, String owner, String token, long now) {
        Term held = state.held();
        long max = held == null
                ? raised(TenureProtocol.from(state))
                : mustRaise(held, wanted) ? Math.max(held.bound(), raised(wanted)) : held.bound();
        return tenure.request(state, max, owner, token, now);
    }

    private long raised(long number) {
        if (number > Long.MAX_VALUE - step) {
            throw new IdsExhaustedException("The numbers of a section of keys are used up: number=" + number
                    + ". The largest number is 2^63 - 1. Use another sequence");
        }
        return number + step;
    }

    /**
     * The request that ends a tenure without a wait for others. The store may execute it or not.
     *
     * @param held of a section that lets no call begin any more
     */
    public TenureRequest handOver(Term held, String token, long now) {
        return tenure.handBack(held, held.bound(), token, now);
    }
}
