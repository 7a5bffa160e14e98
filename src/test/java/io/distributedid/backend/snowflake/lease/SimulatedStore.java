package io.distributedid.backend.snowflake.lease;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The server that holds the rows in a simulation. Counts what it does. */
public final class SimulatedStore {

    private final List<WorkerRow> rows = new ArrayList<>();

    private final Map<String, String> records = new HashMap<>();

    /** Whether a write compares the row before it replaces it. */
    private final boolean compares;

    private final boolean hasRecords;

    private boolean up = true;

    private List<WorkerRow> copy = List.of();

    private boolean changed;

    private long reads;

    private long rowsRead;

    private long writes;

    private long conflicts;

    private long takeovers;

    /**
     * Holds no row.
     *
     * @param numbers from 0 to below this
     * @param compares false breaks it
     */
    public SimulatedStore(int numbers, boolean compares) {
        this(numbers, compares, true);
    }

    /**
     * Holds no row.
     *
     * @param numbers from 0 to below this
     * @param compares false breaks it
     * @param hasRecords false breaks it
     */
    public SimulatedStore(int numbers, boolean compares, boolean hasRecords) {
        this.compares = compares;
        this.hasRecords = hasRecords;
        for (int i = 0; i < numbers; i++) {
            rows.add(null);
        }
    }

    /** Ends an outage, or begins one. */
    public void setUp(boolean now) {
        up = now;
    }

    /** What a backup now holds; to be given to {@link #setBackTo}. */
    public List<WorkerRow> backup() {
        return new ArrayList<>(rows);
    }

    /** All that was granted since the backup is forgotten. */
    public void setBackTo(List<WorkerRow> backup) {
        Collections.copy(rows, backup);
        changed = true;
    }

    /** Somebody deletes everything. */
    public void clear() {
        Collections.fill(rows, null);
        records.clear();
        changed = true;
    }

    public boolean isUp() {
        return up;
    }

    /** All rows that exist, in order, as they are now. */
    List<WorkerRow> look() {
        if (changed) {
            copy = rows.stream().filter(row -> row != null).toList();
            changed = false;
        }
        return copy;
    }

    @Nullable
    String record(String name) {
        return records.get(name);
    }

    boolean compareAndSetRecord(String name, @Nullable String expected, String next) {
        boolean done = Objects.equals(records.get(name), expected);
        if (done && hasRecords) {
            records.put(name, next);
        }
        return done;
    }

    /** The highest number that has a row; -1 if there is none. */
    public long highest() {
        List<WorkerRow> all = look();
        return all.isEmpty() ? -1 : all.get(all.size() - 1).worker();
    }

    void countRead(int size) {
        reads++;
        rowsRead += size;
    }

    boolean compareAndSet(WorkerRow expected, WorkerRow next, boolean renewal) {
        writes++;
        WorkerRow row = rows.get((int) next.worker());
        boolean done = row == null ? expected == null : row.equals(expected);
        if (!done) {
            conflicts++;
        } else if (!renewal && row != null && !row.isHandedBack()) {
            takeovers++;
        }
        if (done || !compares) {
            rows.set((int) next.worker(), next);
            changed = true;
            return true;
        }
        return false;
    }

    /** Replaces a row by one operation, if the condition is met. */
    boolean renew(WorkerRow expected, WorkerRow next, StoreCondition condition, long storeTime) {
        if (condition.record().equals(records.get(WorkerStore.STORE_RECORD)) && condition.allows(storeTime)) {
            return compareAndSet(expected, next, true);
        }
        writes++;
        return false;
    }

    /** Reads and writes. */
    public long operations() {
        return reads + writes;
    }

    public long rowsRead() {
        return rowsRead;
    }

    public long writes() {
        return writes;
    }

    /** Writes that failed because another process was faster. */
    public long conflicts() {
        return conflicts;
    }

    /** How often a process took a number that its former owner had not handed back. */
    public long takeovers() {
        return takeovers;
    }
}
