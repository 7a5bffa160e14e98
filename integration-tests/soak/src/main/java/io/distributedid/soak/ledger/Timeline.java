package io.distributedid.soak.ledger;

/** What happened in each second of a round. */
public final class Timeline {

    private static final long SECOND = 1_000_000_000;

    private final long began;

    private final long[] ids;

    private final long[] refused;

    private final long[] waits;

    /**
     * @param began no call ended before it
     * @param ended no call ended after it
     */
    public Timeline(long began, long ended) {
        this.began = began;
        int seconds = (int) ((ended - began) / SECOND) + 1;
        ids = new long[seconds];
        refused = new long[seconds];
        waits = new long[seconds];
    }

    public void add(Entry entry) {
        int second = (int) ((entry.end() - began) / SECOND);
        ids[second] += entry.count();
        refused[second] += entry.isRefused() ? 1 : 0;
        waits[second] = Math.max(waits[second], entry.end() - entry.begin());
    }

    public long began() {
        return began;
    }

    public int seconds() {
        return ids.length;
    }

    /** Ids that were given in a second. */
    public long ids(int second) {
        return ids[second];
    }

    /** Calls that were refused in a second. */
    public long refused(int second) {
        return refused[second];
    }

    /** The longest call that ended in a second, in nanoseconds. */
    public long wait(int second) {
        return waits[second];
    }
}
