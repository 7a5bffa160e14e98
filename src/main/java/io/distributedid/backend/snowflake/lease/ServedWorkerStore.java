package io.distributedid.backend.snowflake.lease;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A store of worker numbers as an issuing service serves it. For one thread at a time, except {@link #cut}.
 *
 * <p>The store behind a server may be exchanged between two requests of a client, or another server may be asked that
 * has another store. A number that is free in one store may be taken in the other. So every answer holds the store's
 * record, by which the client compares servers. And every change names the {@linkplain StoreRecord#identity identity}
 * of the store that the client has read: a store with another one is left unchanged. A renewal names the whole record,
 * see {@link StoreCondition}, and so does the first record of a store, by saying that there is none.
 */
public final class ServedWorkerStore implements AutoCloseable {

    /** The most rows of a page. */
    public static final int MOST_ROWS = 1_024;

    private static final long LARGEST_STEP = 1L << 40;

    /**
     * Rows, all as they were at the store's time or later.
     *
     * @param next the first number that was not read; empty if there is none
     */
    public record Page(StoreSnapshot snapshot, OptionalLong next) {}

    /**
     * An answer of the store.
     *
     * @param record the {@link WorkerStore#STORE_RECORD}; null if there is none
     */
    public record Answer<T>(T value, @Nullable String record) {}

    private final WorkerStore store;

    /** @param store closed with this */
    public ServedWorkerStore(WorkerStore store) {
        this.store = store;
    }

    /**
     * Reads the rows from {@code first} to {@code last}, in order of their numbers: all of them, or the first
     * {@link #MOST_ROWS}. Reads numbers without rows in large steps, so that few reads reach the rows behind a gap.
     */
    public Page read(long first, long last) throws WorkerStoreException, InterruptedException {
        long end = Math.min(last, end(first, MOST_ROWS));
        StoreSnapshot begin = store.read(first, end);
        if (end == last) {
            return new Page(begin, OptionalLong.empty());
        }
        long highest = Math.min(last, store.highest());
        List<WorkerRow> rows = new ArrayList<>(begin.rows());
        String record = begin.record();
        for (long step = MOST_ROWS; rows.size() < MOST_ROWS && end < highest; ) {
            step = Math.min(2 * step, LARGEST_STEP);
            long from = end + 1;
            end = Math.min(highest, end(from, step));
            StoreSnapshot more = store.read(from, end);
            requireSame(record, more.record());
            record = more.record();
            rows.addAll(more.rows());
        }
        OptionalLong next = end < highest ? OptionalLong.of(end + 1) : OptionalLong.empty();
        if (rows.size() > MOST_ROWS) {
            next = OptionalLong.of(rows.get(MOST_ROWS).worker());
            rows = rows.subList(0, MOST_ROWS);
        }
        return new Page(new StoreSnapshot(List.copyOf(rows), begin.storeTime(), record), next);
    }

    private static long end(long first, long count) {
        return first > Long.MAX_VALUE - count ? Long.MAX_VALUE : first + count - 1;
    }

    private void requireSame(@Nullable String before, @Nullable String now) throws WorkerStoreException {
        if (!StoreRecord.identity(before).equals(StoreRecord.identity(now))) {
            throw new WorkerStoreException("The store of worker numbers became another one while it was read: "
                    + store.label() + " " + shown(StoreRecord.identity(now)) + ", it was "
                    + shown(StoreRecord.identity(before)) + ". Read it again");
        }
    }

    /** As {@link WorkerStore#highest}. */
    public Answer<Long> highest() throws WorkerStoreException, InterruptedException {
        return withRecord(store.highest());
    }

    /**
     * As {@link WorkerStore#compareAndSet}.
     *
     * @param identity of the store that the caller has read; empty if that had no record
     */
    public boolean compareAndSet(String identity, @Nullable WorkerRow expected, WorkerRow next)
            throws OtherStoreException, WorkerStoreException, InterruptedException {
        requireIdentity(identity);
        return store.compareAndSet(expected, next);
    }

    /** As {@link WorkerStore#renew}. */
    public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        return store.renew(expected, next, condition);
    }

    /** As {@link WorkerStore#record}. */
    public Answer<Optional<String>> record(String name) throws WorkerStoreException, InterruptedException {
        Optional<String> content = store.record(name);
        return name.equals(WorkerStore.STORE_RECORD)
                ? new Answer<>(content, content.orElse(null))
                : withRecord(content);
    }

    /** As {@link WorkerStore#records}. */
    public Answer<Map<String, String>> records() throws WorkerStoreException, InterruptedException {
        Map<String, String> records = store.records();
        return new Answer<>(records, records.get(WorkerStore.STORE_RECORD));
    }

    /**
     * As {@link WorkerStore#compareAndSetRecord}.
     *
     * @param identity as for {@link #compareAndSet}; of no effect on the store's own record, whose expected text says
     *     more
     */
    public boolean compareAndSetRecord(String identity, String name, @Nullable String expected, String next)
            throws OtherStoreException, WorkerStoreException, InterruptedException {
        if (!name.equals(WorkerStore.STORE_RECORD)) {
            requireIdentity(identity);
        }
        return store.compareAndSetRecord(name, expected, next);
    }

    private <T> Answer<T> withRecord(T value) throws WorkerStoreException, InterruptedException {
        return new Answer<>(value, store.record(WorkerStore.STORE_RECORD).orElse(null));
    }

    private void requireIdentity(String identity)
            throws OtherStoreException, WorkerStoreException, InterruptedException {
        String found =
                StoreRecord.identity(store.record(WorkerStore.STORE_RECORD).orElse(null));
        if (!found.equals(identity)) {
            throw new OtherStoreException("The store of worker numbers is another one than the caller has read: "
                    + store.label() + " " + shown(found) + ", the caller has read " + shown(identity)
                    + ". Read it again; all servers of a client must have one store");
        }
    }

    private static String shown(String identity) {
        return identity.isEmpty() ? "without a record" : identity;
    }

    /** Names the store in messages, without user and password. */
    public String label() {
        return store.label();
    }

    /** Ends calls under way with an error. By any thread; does not wait. */
    public void cut() {
        store.cut();
    }

    @Override
    public void close() {
        store.close();
    }
}
