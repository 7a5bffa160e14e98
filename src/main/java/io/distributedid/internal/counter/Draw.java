package io.distributedid.internal.counter;

import java.util.Optional;

/**
 * How ids are to be drawn from a counter.
 *
 * @param wanted how many; fewer are allowed
 * @param lastHere the last id that this process drew there, 0 if none: nothing is drawn if the counter lies below
 * @param fence what the counter's record must say for ids to be drawn; empty if there is no record
 * @param note what to write down in the same transaction, or beside it; empty if nothing
 */
public record Draw(long wanted, long lastHere, Optional<Fence> fence, Optional<WitnessNote> note) {}
