package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;

/** What processes were promised when they had a counter raised: no id at or below one that exists. */
final class Promises {

    private record Promise(Application to, String sequence, long existing, long since) {}

    private final World world;

    private final List<Promise> all = new ArrayList<>();

    Promises(World world) {
        this.world = world;
    }

    void made(Application to, String sequence, long existing) {
        all.add(new Promise(to, sequence, existing, world.now()));
    }

    void given(Application to, String sequence, long first, long began) {
        for (Promise each : all) {
            if (each.to == to && each.sequence.equals(sequence) && each.since <= began && first <= each.existing) {
                throw new Judge.Verdict(
                        "Ids above " + each.existing + " were promised, but " + to + " got " + sequence + " " + first);
            }
        }
    }
}
