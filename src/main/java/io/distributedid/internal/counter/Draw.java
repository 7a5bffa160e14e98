package io.distributedid.internal.counter;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A request for ids of a counter.
 *
 * @param wanted how many; fewer are allowed
 * @param lastKnown the last id that this process knows of there, 0 if none; if the counter lies below, nothing is drawn
 * @param furthest the highest id that the block may have. Beyond it the counter must be wrong, and the block is not
 *     used. A store that notes each draw in the record does not draw, so that a wrong counter is not noted
 * @param fence the generation that the counter's record must have; empty if there is no record
 * @param note an update of the record, in the same transaction or beside it; empty if there is none
 */
public record Draw(long wanted, long lastKnown, long furthest, Optional<Fence> fence, Optional<WitnessNote> note) {

    /**
     * The note of the draw that gives a server's first ids, for a counter that has no row before. It says that ids were
     * given: from then on a missing row is a lost one, also for a process that knows of no id. Commit it together with
     * these ids.
     */
    public Optional<WitnessNote> firstNote(Numbering numbering) {
        return fence.map(known -> {
            Map<Long, Witness> witnesses = new HashMap<>();
            note.ifPresent(other -> witnesses.putAll(other.witnesses()));
            witnesses.put(numbering.offset(), new Witness(known.generation(), numbering.after(0)));
            return new WitnessNote(known.table(), known.key(), witnesses);
        });
    }
}
