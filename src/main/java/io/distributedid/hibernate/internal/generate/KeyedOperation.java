package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.generate.KeyedColumn.Key;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;

/**
 * What a session does from the call of the application to its end: a flush, or {@code persist()} or {@code merge()}.
 *
 * <p>Hibernate queues rows, and a flush inserts the whole queue. At its first row, it counts the rows of each key in
 * the persistence context that are not inserted yet, and takes all numbers of each key at once, in the order of the
 * keys. So two flushes lock keys in the same order, and do not end as a deadlock. One number is taken by a row that is
 * not in the queue, because the database makes its id, by one whose key was unknown then, and outside of a flush. For
 * one thread.
 */
final class KeyedOperation {

    /** What was taken of a key, and not yet given to a row; never empty. */
    private record Numbers(KeyedColumn column, Deque<Long> left) {}

    private final KeyedValues values;

    private final SharedSessionContractImplementor session;

    private final Map<Key, Numbers> unused = new TreeMap<>();

    /** The flushes that go on, one within the other. */
    private int flushes;

    /** Whether a number without gaps was asked for. If the database fails, it may have given the number. */
    private boolean gapless;

    KeyedOperation(KeyedValues values, SharedSessionContractImplementor session) {
        this.values = values;
        this.session = session;
    }

    /** Runs a part of it. */
    void run(boolean isFlush, Runnable work) {
        flushes += isFlush ? 1 : 0;
        try {
            work.run();
        } catch (RuntimeException | Error e) {
            if (gapless) {
                markRollbackOnly(e);
            }
            throw e;
        } finally {
            flushes -= isFlush ? 1 : 0;
        }
    }

    private void markRollbackOnly(Throwable why) {
        try {
            session.getTransactionCoordinator().getTransactionDriverControl().markRollbackOnly();
        } catch (RuntimeException e) {
            why.addSuppressed(e);
        }
    }

    long next(KeyedColumn column, Key key) {
        if (flushes > 1) {
            throw new IdConfigurationException("A flush within a flush can't take numbers per key: " + column
                    + " key=" + key.text() + ". A query or a flush() in a callback, listener or Interceptor of the"
                    + " outer flush started it. Move this call out of there, or set FlushMode MANUAL or COMMIT for it");
        }
        if (flushes == 0 || column.isInsertedAtOnce()) {
            return take(column, key, 1)[0];
        }
        if (unused.isEmpty()) {
            queued().forEach(this::takeForAll);
        }
        Numbers numbers = unused.get(key);
        if (numbers == null) {
            return take(column, key, 1)[0];
        }
        long number = numbers.left.remove();
        if (numbers.left.isEmpty()) {
            unused.remove(key);
        }
        return number;
    }

    /** @param rows the column of each row that has the key */
    private void takeForAll(Key key, List<KeyedColumn> rows) {
        KeyedColumn column = rows.get(0);
        Deque<Long> left = new ArrayDeque<>();
        for (int more = rows.size(); more > 0; more -= KeyedNumbers.MOST_NUMBERS) {
            for (long number : take(column, key, Math.min(more, KeyedNumbers.MOST_NUMBERS))) {
                left.add(number);
            }
        }
        unused.put(key, new Numbers(column, left));
    }

    /** The numbers that the rows of the session still need: a column for each, by key. */
    private Map<Key, List<KeyedColumn>> queued() {
        Map<Key, List<KeyedColumn>> rows = new TreeMap<>();
        for (Map.Entry<Object, EntityEntry> each :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            EntityEntry entry = each.getValue();
            // READ_ONLY for @Immutable.
            boolean isQueued = !entry.isExistsInDatabase()
                    && (entry.getStatus() == Status.MANAGED || entry.getStatus() == Status.READ_ONLY);
            for (KeyedColumn column : isQueued ? values.columns(entry.getEntityName()) : List.<KeyedColumn>of()) {
                if (!column.isInsertedAtOnce() && !column.isNumbered(each.getKey(), session)) {
                    column.find(each.getKey(), session)
                            .ifPresent(key -> rows.computeIfAbsent(key, any -> new ArrayList<>())
                                    .add(column));
                }
            }
        }
        return rows;
    }

    private long[] take(KeyedColumn column, Key key, int count) {
        gapless |= column.per().gapless();
        return column.take(key, count, session);
    }

    /** At its end. Numbers with gaps may be left. */
    void requireUsed() {
        unused.forEach((key, numbers) -> {
            if (numbers.column.per().gapless()) {
                throw new IdConfigurationException("A row that has a number without gaps was not inserted: "
                        + numbers.column + " key=" + key.text() + " unused=" + numbers.left
                        + ". A PreInsertEventListener must neither veto its insert nor change its key, and an entity"
                        + " whose insert has failed must leave the session. Roll the transaction back");
            }
        });
    }
}
