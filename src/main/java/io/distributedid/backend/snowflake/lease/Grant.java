package io.distributedid.backend.snowflake.lease;

/**
 * The right to put a worker number into ids, for the window of id time from {@code from} to before {@link #until}. Who
 * has been granted it has it for ever: the window may end, but nobody else is granted a time in it with the same
 * number.
 *
 * @param row as the owner wrote it
 * @param from the first id time that is owned, in milliseconds since 1970
 */
public record Grant(WorkerRow row, long from) {

    /**
     * The number.
     *
     * @return goes into ids
     */
    public long worker() {
        return row.worker();
    }

    /**
     * The end of the window.
     *
     * @return the first id time that is not owned any more
     */
    public long until() {
        return row.reservedUntil();
    }

    /**
     * Whether an id may be composed.
     *
     * @param time the first millisecond of the id's tick
     * @return whether it lies in the window
     */
    public boolean covers(long time) {
        return from <= time && time < until();
    }

    /** The same without a time in it. */
    Grant ended() {
        return new Grant(new WorkerRow(row.worker(), row.owner(), from, row.token()), from);
    }

    /** The part that begins at {@code time} or later; this if all of it does. */
    Grant notBefore(long time) {
        return time <= from ? this : part(time, until());
    }

    /** The part that lies in another one too, of the same number. */
    Grant within(Grant other) {
        return part(Math.max(from, other.from), Math.min(until(), other.until()));
    }

    private Grant part(long first, long end) {
        return new Grant(new WorkerRow(row.worker(), row.owner(), Math.max(first, end), row.token()), first);
    }
}
