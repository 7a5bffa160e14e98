package io.distributedid.backend.snowflake.lease;

import java.util.List;

/**
 * Worker numbers that processes took for a single use lie between these. Such a number has no end, so no process ever
 * takes one without a row: the row may have been lost.
 *
 * @param lowest the lowest number; 0 if there is none
 * @param highest the highest number; -1 if there is none
 */
public record BurntNumbers(long lowest, long highest) {

    public static final BurntNumbers NONE = new BurntNumbers(0, -1);

    boolean isEmpty() {
        return highest < lowest;
    }

    boolean contains(long worker) {
        return lowest <= worker && worker <= highest;
    }

    BurntNumbers with(long worker) {
        return isEmpty()
                ? new BurntNumbers(worker, worker)
                : new BurntNumbers(Math.min(lowest, worker), Math.max(highest, worker));
    }

    BurntNumbers with(BurntNumbers other) {
        return other.isEmpty() ? this : with(other.lowest).with(other.highest);
    }

    /** Together with the numbers whose rows have no end. */
    BurntNumbers with(List<WorkerRow> rows) {
        BurntNumbers all = this;
        for (WorkerRow row : rows) {
            all = row.isForSingleUse() ? all.with(row.worker()) : all;
        }
        return all;
    }
}
