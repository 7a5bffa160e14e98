package io.distributedid.testkit;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The beginning and the end of each call for an id, by one clock for all processes. Tells whether each id is greater
 * than every id of a call that had ended before this one began. Looks at every pair by one pass over the calls in order
 * of time.
 */
public final class CallLedger {

    /**
     * A call.
     *
     * @param begin before the call, in nanoseconds
     * @param end after its answer
     * @param first of the consecutive ids that it got
     * @param id the last of them
     * @param maker names the process
     */
    public record Call(long begin, long end, long first, long id, String maker) {

        /** It got one id. */
        public Call(long begin, long end, long id, String maker) {
            this(begin, end, id, id, maker);
        }
    }

    private final List<Call> calls = new ArrayList<>();

    /** Adds a call, in any order. */
    public synchronized void add(Call call) {
        calls.add(call);
    }

    /** How many calls there are. */
    public synchronized int size() {
        return calls.size();
    }

    /** The calls that got an id not greater than one of a call before them; at most ten, as text. */
    public synchronized List<String> disorder() {
        List<Call> begins = new ArrayList<>(calls);
        begins.sort(Comparator.comparingLong(Call::begin));
        List<Call> ends = new ArrayList<>(calls);
        ends.sort(Comparator.comparingLong(Call::end));
        List<String> found = new ArrayList<>();
        Call largest = null;
        int ended = 0;
        for (Call call : begins) {
            for (; ends.get(ended).end < call.begin; ended++) {
                Call before = ends.get(ended);
                largest = largest == null || before.id > largest.id ? before : largest;
            }
            if (largest != null && call.first <= largest.id && found.size() < 10) {
                found.add(call + " began " + (call.begin - largest.end) + " ns after the end of " + largest);
            }
        }
        return found;
    }

    /** Calls of which each got an id that the one before it got too; at most ten pairs, as text. */
    public synchronized List<String> twice() {
        List<Call> ids = new ArrayList<>(calls);
        ids.sort(Comparator.comparingLong(Call::first));
        List<String> found = new ArrayList<>();
        Call largest = null;
        for (Call call : ids) {
            if (largest != null && call.first <= largest.id && found.size() < 10) {
                found.add(call + " after " + largest);
            }
            largest = largest == null || call.id > largest.id ? call : largest;
        }
        return found;
    }

    /** Between the ends of the first and the last call, the longest time in which no call ended, in nanoseconds. */
    public synchronized long longestGap() {
        return longestGap(
                calls.stream().mapToLong(Call::end).min().orElse(0),
                calls.stream().mapToLong(Call::end).max().orElse(0));
    }

    /** Between two moments, the longest time in which no call ended, in nanoseconds. */
    public synchronized long longestGap(long from, long to) {
        long[] ends = calls.stream()
                .mapToLong(Call::end)
                .filter(end -> end > from && end < to)
                .sorted()
                .toArray();
        long longest = 0;
        long last = from;
        for (long end : ends) {
            longest = Math.max(longest, end - last);
            last = end;
        }
        return Math.max(longest, to - last);
    }

    /** How many different last ids there are. */
    public synchronized long distinct() {
        return calls.stream().mapToLong(Call::id).distinct().count();
    }

    /** Between the last id of one process and the first of the next one, the longest time, in nanoseconds. */
    public synchronized long longestTakeover() {
        List<Call> ids = new ArrayList<>(calls);
        ids.sort(Comparator.comparingLong(Call::id));
        long longest = 0;
        for (int i = 1; i < ids.size(); i++) {
            if (!ids.get(i).maker.equals(ids.get(i - 1).maker)) {
                longest = Math.max(longest, ids.get(i).end - ids.get(i - 1).end);
            }
        }
        return longest;
    }

    /** How often another process than before gave the next id. */
    public synchronized long takeovers() {
        List<Call> ids = new ArrayList<>(calls);
        ids.sort(Comparator.comparingLong(Call::id));
        long count = 0;
        for (int i = 1; i < ids.size(); i++) {
            count += ids.get(i).maker.equals(ids.get(i - 1).maker) ? 0 : 1;
        }
        return count;
    }
}
