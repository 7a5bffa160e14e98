package io.distributedid.testkit;

import io.distributedid.backend.snowflake.lease.StoreCondition;
import io.distributedid.backend.snowflake.lease.StoreSnapshot;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Counts the calls of a store of worker numbers. In a table each call is one statement. */
public final class CountedWorkerStore implements WorkerStore {

    private final WorkerStore store;

    private final AtomicInteger operations = new AtomicInteger();

    public CountedWorkerStore(WorkerStore store) {
        this.store = store;
    }

    /** How many calls there were since this was asked before. */
    public int takeOperations() {
        return operations.getAndSet(0);
    }

    private WorkerStore counted() {
        operations.incrementAndGet();
        return store;
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        return counted().read(first, last);
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return counted().highest();
    }

    @Override
    public boolean compareAndSet(@Nullable WorkerRow expected, WorkerRow next)
            throws WorkerStoreException, InterruptedException {
        return counted().compareAndSet(expected, next);
    }

    @Override
    public OptionalLong renew(WorkerRow expected, WorkerRow next, StoreCondition condition)
            throws WorkerStoreException, InterruptedException {
        return counted().renew(expected, next, condition);
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return counted().record(name);
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return counted().records();
    }

    @Override
    public boolean compareAndSetRecord(String name, @Nullable String expected, String next)
            throws WorkerStoreException, InterruptedException {
        return counted().compareAndSetRecord(name, expected, next);
    }

    @Override
    public String label() {
        return store.label();
    }

    @Override
    public void close() {
        store.close();
    }
}
