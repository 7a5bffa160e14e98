package io.distributedid.backend.snowflake.lease;

/**
 * The right to put a worker number into ids, for the window of id time from {@code from} to before {@link #until}. It
 * holds for ever: the window may end, but no other process is ever granted a time in it with the same number.
 *
 * @param row the row that this process wrote
 * @param from the first id time that is owned, in milliseconds since 1970
 */
public record Grant(WorkerRow row, long from) {

    public long worker() {
        return row.worker();
    }

    /** The first id time that is not owned any more. */
    public long until() {
        return row.reservedUntil();
    }

    /** Whether the window has {@code time}, the first millisecond of an id's tick. */
    public boolean covers(long time) {
        return from <= time && time < until();
    }

    /** The same with an empty window. */
    Grant ended() {
        return new Grant(new WorkerRow(row.worker(), row.owner(), from, row.token()), from);
    }

    /** The part from {@code time} on; {@code this} if that is all of it. */
    Grant notBefore(long time) {
        return time <= from ? this : part(time, until());
    }

    /** The intersection with another grant of the same number. */
    Grant within(Grant other) {
        return part(Math.max(from, other.from), Math.min(until(), other.until()));
    }

    private Grant part(long first, long end) {
        return new Grant(new WorkerRow(row.worker(), row.owner(), Math.max(first, end), row.token()), first);
    }
}
