package io.distributedid.internal.keyed.served;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseProtocol;

/**
 * The protocol by which at most one process at a time gives the numbers of a section, as pure functions. A section is a
 * fixed part of the keys.
 *
 * <p><b>Protocol.</b> A section is a right of {@link LeaseProtocol}, by {@link LeaseProtocol.Rule#UNCHANGED}; its
 * values are numbers of keys, and the number of its row is called {@code max} here. Claims, renewals and lost answers
 * are treated there. What a section adds:
 *
 * <ol>
 *   <li>Every claim raises {@code max} by a step, above the base: the {@code max} of the row that it replaced. So no
 *       two tenures have the same base. The owner begins each key above the base, and gives no number above the
 *       {@code max} of its own row.
 *   <li>The owner raises {@code max} to a step above the largest number wanted, before that is a sixteenth of a step
 *       from {@code max}. That is one write for 15/16 of a step of numbers or more, and a new owner skips at most a
 *       step.
 *   <li>For each call, the owner increments the key within {@code max}, then checks that its right lasts, and only then
 *       answers ({@link Section#next}). A number whose answer is lost is a gap.
 *   <li>To hand the section over, the owner first lets no call begin ({@link Section#learn}), then writes the row
 *       without an owner and with the same {@code max}. The next owner does not wait.
 *   <li>Within its tenure the owner may forget all keys. It raises {@code max} first, and begins each key above the
 *       {@code max} that it had before. If it forgets them because it was refused for a while, it goes on above the
 *       {@code max} that it finds.
 *   <li>Nothing ever lowers {@code max}.
 * </ol>
 *
 * <p><b>Uniqueness and growth</b> rest on no clock. The numbers of a tenure lie above its base, up to its last
 * {@code max}, and the base of the next tenure is that {@code max} or larger (see {@link LeaseProtocol}). Within a
 * tenure a key's counter only grows, and where counters are forgotten, the next ones begin at a {@code max} that no
 * number has exceeded.
 *
 * <p><b>Order</b>: if a call for a key was answered with a before another one for that key began, the other is answered
 * with a larger number b. {@link LeaseProtocol} proves it for values that are taken before the right is checked, as
 * they are here: the number is taken, then the right is checked, then the call is answered. If one tenure gave both
 * numbers, b was incremented after a, in the same counter or in one with a larger base.
 *
 * @param lease of each section
 * @param step by how much {@code max} is raised; also the largest number of numbers for one call
 */
public record SectionProtocol(LeaseProtocol lease, int step) {

    /** The owner raises {@code max} when this part of a step is left. */
    private static final int AHEAD = 16;

    public SectionProtocol {
        if (step < 1) {
            throw new IllegalArgumentException("A step must be 1 or more: step=" + step);
        }
    }

    /** Whether {@code max} has to be raised for a number, or soon. */
    public boolean mustRaise(Lease held, long wanted) {
        return wanted > held.bound() - step / AHEAD - 1;
    }

    /**
     * The {@code max} to ask for with the next renewal.
     *
     * @param wanted the largest number that was wanted in this tenure, or 0
     * @throws IdsExhaustedException if it would exceed 2^63 - 1
     */
    public long max(Lease held, long wanted) {
        return mustRaise(held, wanted) ? Math.max(held.bound(), raised(wanted)) : held.bound();
    }

    /** A step above a number. */
    public long raised(long number) {
        if (number > Long.MAX_VALUE - step) {
            throw new IdsExhaustedException("The numbers of a section of keys are used up: number=" + number
                    + ". The largest number is 2^63 - 1. Use another sequence");
        }
        return number + step;
    }
}
