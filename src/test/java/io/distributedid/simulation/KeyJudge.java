package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/** Judges the numbers of keys: none twice, and each above all that were answered before its call began. */
final class KeyJudge {

    /** The largest number of a key that was answered up to a moment. */
    private record Answered(long moment, long largest) {}

    private final Map<Long, List<Answered>> answered = new HashMap<>();

    /** The ranges of numbers that were given, from the first one to the last. */
    private final Map<Long, NavigableMap<Long, Long>> given = new HashMap<>();

    private long moment;

    private long count;

    /** The moment at which a call begins. No two are the same. */
    long begin() {
        return ++moment;
    }

    /** A call was answered. */
    void given(Object process, long key, long last, int numbers, long began) {
        long first = last - numbers + 1;
        List<Answered> before = answered.computeIfAbsent(key, each -> new ArrayList<>());
        long largest = 0;
        for (Answered each : before) {
            largest = each.moment < began ? each.largest : largest;
        }
        if (first <= largest) {
            throw new Judge.Verdict("A number is not above one that was answered before its call began: key=" + key
                    + " number=" + first + " before=" + largest + " by " + process);
        }
        NavigableMap<Long, Long> ranges = given.computeIfAbsent(key, each -> new TreeMap<>());
        Map.Entry<Long, Long> below = ranges.floorEntry(last);
        if (below != null && below.getValue() >= first) {
            throw new Judge.Verdict("A number was given twice: key=" + key + " numbers=" + first + " to " + last
                    + " given=" + below + " by " + process);
        }
        ranges.put(first, last);
        count += numbers;
        moment++;
        before.add(new Answered(moment, Math.max(last, before.isEmpty() ? 0 : before.get(before.size() - 1).largest)));
    }

    /** How many numbers were given. */
    long count() {
        return count;
    }
}
