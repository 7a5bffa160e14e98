package io.distributedid.backend.snowflake;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Every id of a simulation, to tell whether one was made twice. Knows nothing of windows: takes ids of 41 bits of time,
 * 10 of worker and 12 of sequence apart by itself.
 *
 * <p>Exact and small: the ids of one maker and number that follow each other without a gap are one run of 20 bytes.
 */
final class IdLedger {

    /**
     * What is wrong.
     *
     * @param ticksOfTwo of a number, in ids of two makers
     * @param interleavings how often a maker's time with a number is cut in two by another's, which is how a wrong
     *     window shows long before two ids meet in a tick
     */
    record Finding(long idsMadeTwice, long ticksOfTwo, long interleavings, String first) {

        static final Finding NONE = new Finding(0, 0, 0, "");
    }

    /** Ids of one number without it: time and sequence, both ends included. */
    private record Run(long first, long last, int maker) {}

    private static final int SEQUENCE_BITS = 12;

    private static final int WORKER_BITS = 10;

    static final int TIME_SHIFT = SEQUENCE_BITS + WORKER_BITS;

    /** The runs of one number in the order in which they were begun. */
    private static final class Runs {

        private long[] firsts = new long[64];

        private long[] lasts = new long[64];

        private int[] makers = new int[64];

        private int size;

        void begin(long key, int maker) {
            if (size == firsts.length) {
                int larger = size + size / 2;
                firsts = Arrays.copyOf(firsts, larger);
                lasts = Arrays.copyOf(lasts, larger);
                makers = Arrays.copyOf(makers, larger);
            }
            firsts[size] = key;
            lasts[size] = key;
            makers[size] = maker;
            size++;
        }

        List<Run> sorted() {
            List<Run> sorted = new ArrayList<>(size);
            for (int i = 0; i < size; i++) {
                sorted.add(new Run(firsts[i], lasts[i], makers[i]));
            }
            sorted.sort(Comparator.comparingLong(Run::first));
            return sorted;
        }
    }

    private final Runs[] numbers = new Runs[1 << WORKER_BITS];

    private long ids;

    private long runs;

    IdLedger() {
        Arrays.setAll(numbers, number -> new Runs());
    }

    /** @param maker one process with one window, however often that is renewed */
    void add(long id, int maker) {
        ids++;
        long sequence = id & (1 << SEQUENCE_BITS) - 1;
        int number = number(id);
        long key = id >>> TIME_SHIFT << SEQUENCE_BITS | sequence;
        Runs of = numbers[number];
        int newest = of.size - 1;
        if (newest >= 0 && key == of.lasts[newest] + 1 && of.makers[newest] == maker) {
            of.lasts[newest] = key;
        } else {
            of.begin(key, maker);
            runs++;
        }
    }

    static int number(long id) {
        return (int) (id >>> SEQUENCE_BITS) & (1 << WORKER_BITS) - 1;
    }

    long ids() {
        return ids;
    }

    long runs() {
        return runs;
    }

    long numbersUsed() {
        return Arrays.stream(numbers).filter(of -> of.size > 0).count();
    }

    /** Numbers that more than one maker has used. */
    long numbersOfSeveral() {
        return Arrays.stream(numbers)
                .filter(of -> Arrays.stream(of.makers, 0, of.size).distinct().count() > 1)
                .count();
    }

    /** Looks through all ids. */
    Finding find() {
        long twice = 0;
        long shared = 0;
        long interleavings = 0;
        String first = "";
        for (int number = 0; number < numbers.length; number++) {
            Run highest = null;
            Run before = null;
            Set<Integer> gone = new HashSet<>();
            for (Run run : numbers[number].sorted()) {
                if (before != null && highest != null) {
                    long again = Math.min(highest.last, run.last) - run.first + 1;
                    boolean ofTwo = highest.maker != run.maker && tick(highest.last) >= tick(run.first);
                    boolean interleaved = before.maker != run.maker && gone.contains(run.maker);
                    twice += Math.max(0, again);
                    shared += ofTwo ? 1 : 0;
                    interleavings += interleaved ? 1 : 0;
                    if (first.isEmpty() && (again > 0 || ofTwo || interleaved)) {
                        first = "number " + number + ": " + text(run) + " after " + text(highest);
                    }
                    if (before.maker != run.maker) {
                        gone.add(before.maker);
                    }
                }
                before = run;
                highest = highest == null || run.last > highest.last ? run : highest;
            }
        }
        return new Finding(twice, shared, interleavings, first);
    }

    private static long tick(long key) {
        return key >> SEQUENCE_BITS;
    }

    private static String text(Run run) {
        long mask = (1 << SEQUENCE_BITS) - 1;
        return "maker " + run.maker + " time " + tick(run.first) + " sequence " + (run.first & mask) + " to time "
                + tick(run.last) + " sequence " + (run.last & mask);
    }
}
