package io.distributedid.soak.fault;

import java.util.SplittableRandom;

/**
 * A fault of a schedule.
 *
 * @param fault what happens
 * @param calmMillis how long nothing happens before it
 * @param lastsMillis how long it lasts, if it lasts
 * @param dice a random number: decides where it happens, and all else that it leaves open
 */
public record Step(Fault fault, int calmMillis, int lastsMillis, long dice) {

    /** The same in each run of a schedule. */
    SplittableRandom random() {
        return new SplittableRandom(dice);
    }
}
