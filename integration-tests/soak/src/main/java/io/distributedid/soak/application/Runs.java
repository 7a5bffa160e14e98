package io.distributedid.soak.application;

import io.distributedid.soak.ledger.Entry;
import java.util.ArrayList;
import java.util.List;

/** Turns the ids of a call into as few entries as possible. */
final class Runs {

    private Runs() {}

    /**
     * Splits ids into arithmetic progressions.
     *
     * @param counters all ids of an entry have the same remainder of it
     */
    static List<Entry> of(long[] ids, int counters, long begin, long end, int process) {
        List<Entry> runs = new ArrayList<>();
        int from = 0;
        while (from < ids.length) {
            int to = from + 1;
            long step = to < ids.length ? ids[to] - ids[from] : 0;
            if (step > 0 && step <= Integer.MAX_VALUE && step % counters == 0) {
                while (to < ids.length && ids[to] - ids[to - 1] == step) {
                    to++;
                }
            }
            int count = to - from;
            runs.add(new Entry(begin, end, ids[from], count == 1 ? counters : (int) step, count, process));
            from = to;
        }
        return runs;
    }
}
