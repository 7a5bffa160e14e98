package io.distributedid.maelstrom;

import io.distributedid.backend.snowflake.lease.StoreSnapshot;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import io.distributedid.backend.snowflake.lease.WorkerStore;
import io.distributedid.backend.snowflake.lease.WorkerStoreException;
import java.io.IOException;
import java.time.InstantSource;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A store of worker numbers in one {@link Cell}.
 *
 * <p>A change reads the text, compares the one row, and replaces the text. If another change came between, it begins
 * again: that other one may concern another row. A request may also be delivered twice. Then the first is done, and the
 * answer may be that of the second, which was refused. So a row that is found as it was to become counts as replaced:
 * its token has one author.
 *
 * <p>The cell has no clock, so the time of the store is that of this process. Leases need no more: clocks decide which
 * window is asked for, and never whether it is granted.
 */
final class CellWorkerStore implements WorkerStore {

    private static final int MOST_ATTEMPTS = 100;

    private final Cell cell;

    private final InstantSource clock;

    CellWorkerStore(Cell cell, InstantSource clock) {
        this.cell = cell;
        this.clock = clock;
    }

    @Override
    public StoreSnapshot read(long first, long last) throws WorkerStoreException, InterruptedException {
        StoreText text = text();
        return new StoreSnapshot(
                text.rows().values().stream()
                        .filter(row -> first <= row.worker() && row.worker() <= last)
                        .toList(),
                clock.millis(),
                text.records().get(STORE_RECORD));
    }

    @Override
    public long highest() throws WorkerStoreException, InterruptedException {
        return text().rows().keySet().stream().mapToLong(Long::longValue).max().orElse(-1);
    }

    @Override
    public boolean compareAndSet(WorkerRow expected, WorkerRow next) throws WorkerStoreException, InterruptedException {
        return replace(
                text -> Objects.equals(text.rows().get(next.worker()), expected),
                text -> next.equals(text.rows().get(next.worker())),
                text -> text.with(next));
    }

    @Override
    public Optional<String> record(String name) throws WorkerStoreException, InterruptedException {
        return Optional.ofNullable(text().records().get(name));
    }

    @Override
    public Map<String, String> records() throws WorkerStoreException, InterruptedException {
        return text().records();
    }

    /** A record has no token, so one that was replaced by a request delivered twice counts as replaced by another. */
    @Override
    public boolean compareAndSetRecord(String name, String expected, String next)
            throws WorkerStoreException, InterruptedException {
        return replace(
                text -> Objects.equals(text.records().get(name), expected),
                text -> false,
                text -> text.with(name, next));
    }

    private boolean replace(
            Predicate<StoreText> asExpected, Predicate<StoreText> isDone, UnaryOperator<StoreText> change)
            throws WorkerStoreException, InterruptedException {
        try {
            for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
                Optional<String> read = cell.read();
                StoreText text = StoreText.parse(read);
                if (attempt > 0 && isDone.test(text)) {
                    return true;
                }
                if (!asExpected.test(text)) {
                    return false;
                }
                if (cell.compareAndSet(read, change.apply(text).text())) {
                    return true;
                }
            }
            throw new WorkerStoreException(
                    "Others were faster to change " + cell.label() + ", " + MOST_ATTEMPTS + " times");
        } catch (IOException e) {
            throw new WorkerStoreException(e.getMessage(), e);
        }
    }

    private StoreText text() throws WorkerStoreException, InterruptedException {
        try {
            return StoreText.parse(cell.read());
        } catch (IOException e) {
            throw new WorkerStoreException(e.getMessage(), e);
        }
    }

    @Override
    public String label() {
        return cell.label();
    }

    @Override
    public void close() {
        // The cell belongs to the node.
    }
}
