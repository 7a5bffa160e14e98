package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.KeyedNumbers;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;

/**
 * What a session does from the call of the application to its end: a flush, or {@code persist()} or {@code merge()}.
 *
 * <p>At the first row of a flush, it counts the rows of each key in the persistence context that are not inserted yet,
 * and takes all numbers of each key at once, in the order of the keys. So two flushes lock keys in the same order, and
 * do not end as a deadlock. A key that becomes known later, because the database makes the id that it is, is counted
 * then. Outside a flush, a row that is inserted at once takes one number. For one thread.
 */
final class KeyedOperation {

    /** What the flush has taken of a key, and not yet given to a row. */
    private record Numbers(KeyedColumn column, Deque<Long> left) {}

    private final SharedSessionContractImplementor session;

    private final Map<FlushKey, Numbers> taken = new TreeMap<>();

    /** The flushes that go on, one within the other. */
    private int flushes;

    private boolean gapless;

    KeyedOperation(SharedSessionContractImplementor session) {
        this.session = session;
    }

    /** Whether it has taken a number without gaps. */
    boolean isGapless() {
        return gapless;
    }

    /** Runs a part of it. */
    void run(boolean isFlush, Runnable work) {
        if (!isFlush) {
            work.run();
            return;
        }
        flushes++;
        try {
            work.run();
            if (flushes == 1) {
                requireUsed();
            }
        } finally {
            flushes--;
            if (flushes == 0) {
                taken.clear();
            }
        }
    }

    long next(KeyedColumn column, FlushKey key) {
        if (flushes > 1) {
            throw new IdConfigurationException("A flush within a flush gives no numbers per key: " + column
                    + " key=" + key.key() + ". A query or a flush() in a callback, listener or Interceptor of the outer"
                    + " flush has begun it. Move it out of there, or set FlushMode MANUAL or COMMIT for it");
        }
        if (flushes == 0) {
            return take(column, key, 1)[0];
        }
        Numbers numbers = taken.get(key);
        if (numbers == null || numbers.left.isEmpty()) {
            numbers = takeForAll(column, key);
        }
        return numbers.left.remove();
    }

    /** The numbers of all keys at first, later of this one alone. Returns those of this one. */
    private Numbers takeForAll(KeyedColumn column, FlushKey key) {
        Map<FlushKey, List<KeyedColumn>> rows = uninserted();
        if (!taken.isEmpty()) {
            rows.keySet().retainAll(Set.of(key));
        }
        rows.putIfAbsent(key, List.of(column));
        rows.forEach((each, columns) -> {
            Numbers numbers = taken.computeIfAbsent(each, any -> new Numbers(columns.get(0), new ArrayDeque<>()));
            for (int more = columns.size(); more > 0; more -= KeyedNumbers.MOST_NUMBERS) {
                for (long number : take(numbers.column, each, Math.min(more, KeyedNumbers.MOST_NUMBERS))) {
                    numbers.left.add(number);
                }
            }
        });
        return Objects.requireNonNull(taken.get(key));
    }

    /** The numbers that the rows of the session still need: a column for each, by key. */
    private Map<FlushKey, List<KeyedColumn>> uninserted() {
        KeyedValues values = KeyedValues.of(session.getFactory());
        Map<FlushKey, List<KeyedColumn>> rows = new TreeMap<>();
        for (Map.Entry<Object, EntityEntry> each :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            EntityEntry entry = each.getValue();
            if (!entry.isExistsInDatabase() && entry.getStatus() == Status.MANAGED) {
                for (KeyedColumn column : values.columns(entry.getEntityName())) {
                    if (!column.isNumbered(each.getKey(), session)) {
                        column.find(each.getKey(), session)
                                .ifPresent(key -> rows.computeIfAbsent(key, any -> new ArrayList<>())
                                        .add(column));
                    }
                }
            }
        }
        return rows;
    }

    private long[] take(KeyedColumn column, FlushKey key, int count) {
        long[] numbers = column.take(key, count, session);
        gapless |= column.per().gapless();
        return numbers;
    }

    /** At the end of a flush. Numbers with gaps may be left. */
    private void requireUsed() {
        taken.forEach((key, numbers) -> {
            if (numbers.column.per().gapless() && !numbers.left.isEmpty()) {
                throw new IdConfigurationException("A row that has a number without gaps was not inserted: "
                        + numbers.column + " key=" + key.key() + " unused=" + numbers.left
                        + ". A PreInsertEventListener must neither veto its insert nor change its key, and an entity"
                        + " whose insert has failed must leave the session. Roll the transaction back");
            }
        });
    }
}
