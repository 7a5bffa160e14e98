package io.distributedid.soak.fault;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * An endless order of faults that a seed decides. All kinds come before one comes again.
 *
 * <p>The seed decides what happens, where and when. What servers and processes do meanwhile differs from run to run.
 */
public final class Schedule {

    private static final int SHORTEST_CALM = 300;

    private static final int LONGEST_CALM = 8_000;

    private static final int SHORTEST_FAULT = 300;

    private static final int LONGEST_FAULT = 6_000;

    private final Random random;

    private final List<Fault> kinds;

    private final List<Fault> left = new ArrayList<>();

    /** @param kinds at least one */
    public Schedule(long seed, Collection<Fault> kinds) {
        this.random = new Random(seed);
        this.kinds = kinds.stream().sorted().toList();
        if (this.kinds.isEmpty()) {
            throw new IllegalArgumentException("A schedule needs a kind of fault");
        }
    }

    public Step next() {
        if (left.isEmpty()) {
            left.addAll(kinds);
            Collections.shuffle(left, random);
        }
        return new Step(
                left.remove(left.size() - 1),
                between(SHORTEST_CALM, LONGEST_CALM),
                between(SHORTEST_FAULT, LONGEST_FAULT),
                random.nextLong());
    }

    private int between(int least, int most) {
        return least + random.nextInt(most - least);
    }
}
