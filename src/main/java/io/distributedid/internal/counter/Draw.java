package io.distributedid.internal.counter;

import java.util.Optional;

/**
 * A request for ids of a counter.
 *
 * @param wanted how many; fewer are allowed
 * @param lastKnown the last id that this process knows of there, 0 if none; if the counter lies below, nothing is drawn
 * @param furthest the highest id that the block may have. Beyond it the counter must be wrong, and the block is not
 *     used. A store that notes each draw in the record does not draw, so that a wrong counter is not noted
 * @param fence the generation that the counter's record must have
 * @param note an update of the record, in the same transaction or beside it; empty if there is none
 */
public record Draw(long wanted, long lastKnown, long furthest, Fence fence, Optional<WitnessNote> note) {}
