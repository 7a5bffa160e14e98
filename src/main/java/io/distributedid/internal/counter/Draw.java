package io.distributedid.internal.counter;

import java.util.Optional;

/**
 * A request for ids of a counter.
 *
 * @param wanted how many; fewer are allowed
 * @param lastHere the last id that this process drew there, 0 if none; if the counter lies below, nothing is drawn
 * @param fence the generation that the counter's record must have; empty if there is no record
 * @param note an update of the record, in the same transaction or beside it; empty if there is none
 */
public record Draw(long wanted, long lastHere, Optional<Fence> fence, Optional<WitnessNote> note) {}
