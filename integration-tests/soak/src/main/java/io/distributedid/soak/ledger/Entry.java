package io.distributedid.soak.ledger;

import java.nio.ByteBuffer;

/**
 * A call for ids: those that it got, as an arithmetic progression, or why it got none. A call that got several
 * progressions has several entries.
 *
 * @param begin before the call, in nanoseconds of the monotonic clock that all processes of the machine share
 * @param end after its answer
 * @param first the smallest id; of a refused call the number of its reason
 * @param step the distance between two ids
 * @param count how many ids; 0 if the call was refused
 * @param process the number of the process, each of which has its own
 */
public record Entry(long begin, long end, long first, int step, int count, int process) {

    /** In a file. */
    static final int BYTES = 3 * Long.BYTES + 3 * Integer.BYTES;

    /** A call that got no id. */
    public static Entry refused(long begin, long end, int reason, int process) {
        return new Entry(begin, end, reason, 0, 0, process);
    }

    public boolean isRefused() {
        return count == 0;
    }

    public long last() {
        return first + (count - 1L) * step;
    }

    void putInto(ByteBuffer bytes) {
        bytes.putLong(begin)
                .putLong(end)
                .putLong(first)
                .putInt(step)
                .putInt(count)
                .putInt(process);
    }

    static Entry from(ByteBuffer bytes) {
        return new Entry(
                bytes.getLong(), bytes.getLong(), bytes.getLong(), bytes.getInt(), bytes.getInt(), bytes.getInt());
    }
}
