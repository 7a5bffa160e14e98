package io.distributedid.hibernate.internal.generate;

import io.distributedid.internal.keyed.KeyedNumbers;
import java.lang.ref.WeakReference;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.hibernate.engine.spi.EntityEntry;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.engine.spi.Status;
import org.jspecify.annotations.Nullable;

/**
 * The numbers that a flush has taken for the rows that it is about to insert.
 *
 * <p>At the first row, it counts the rows of each key in the persistence context that are not inserted yet, and takes
 * all numbers of each key at once, in the order of the keys. So two flushes lock keys in the same order, and do not end
 * as a deadlock. A key that becomes known later, because the database makes the id that it is, is counted then.
 *
 * <p>Numbers without gaps that no row got, for example because a listener has vetoed its insert, are given back at the
 * end of the flush. Their keys are still locked. It does not keep the session, which is its key in a weak map. For one
 * thread.
 */
final class FlushNumbers {

    private static final int MOST_AT_ONCE = 10_000;

    private final KeyedValues values;

    private final Map<FlushKey, Deque<Long>> left = new TreeMap<>();

    private final Map<FlushKey, KeyedColumn> columns = new TreeMap<>();

    /** The events of this flush and of those within it, the innermost first. Weak: they keep the session. */
    private final Deque<WeakReference<Object>> events = new ArrayDeque<>();

    private final @Nullable FlushNumbers before;

    private boolean hasFailedWithin;

    /** @param before a flush that has not ended, and is not known to go on */
    FlushNumbers(KeyedValues values, @Nullable FlushNumbers before) {
        this.values = values;
        this.before = before;
    }

    @Nullable
    FlushNumbers before() {
        return before;
    }

    /** Whether it is this flush, or one within it. */
    boolean has(Object event) {
        return events.stream().anyMatch(each -> each.refersTo(event));
    }

    /** Whether one within it has failed. */
    boolean hasFailedWithin() {
        return hasFailedWithin;
    }

    /** This flush begins, or one within it. */
    void begin(Object event) {
        events.push(new WeakReference<>(event));
    }

    /** One of them has succeeded; those within it that have not ended have failed. Returns whether it is this one. */
    boolean end(Object event) {
        while (!events.isEmpty() && !events.pop().refersTo(event)) {
            // The callback that caused it went on.
            hasFailedWithin = true;
        }
        return events.isEmpty();
    }

    long next(KeyedColumn column, FlushKey key, SharedSessionContractImplementor session) {
        Deque<Long> numbers = left.get(key);
        if (numbers == null || numbers.isEmpty()) {
            take(column, key, session);
            numbers = left.getOrDefault(key, new ArrayDeque<>());
        }
        return numbers.remove();
    }

    /** The numbers of all keys at first, later of this one alone. */
    private void take(KeyedColumn column, FlushKey key, SharedSessionContractImplementor session) {
        Map<FlushKey, Integer> wanted = pending(session);
        if (!left.isEmpty()) {
            wanted.keySet().removeIf(each -> !each.equals(key));
        }
        if (wanted.putIfAbsent(key, 1) == null) {
            columns.put(key, column);
        }
        wanted.forEach((each, count) -> {
            Deque<Long> numbers = left.computeIfAbsent(each, any -> new ArrayDeque<>());
            KeyedColumn known = Objects.requireNonNull(columns.get(each));
            for (int more = count; more > 0; more -= MOST_AT_ONCE) {
                for (long number : values.take(this, session, known, each, Math.min(more, MOST_AT_ONCE))) {
                    numbers.add(number);
                }
            }
        });
    }

    /** How many rows of each key are to be inserted. */
    private Map<FlushKey, Integer> pending(SharedSessionContractImplementor session) {
        Map<FlushKey, Integer> counts = new TreeMap<>();
        for (Map.Entry<Object, EntityEntry> each :
                session.getPersistenceContextInternal().reentrantSafeEntityEntries()) {
            EntityEntry entry = each.getValue();
            if (!entry.isExistsInDatabase() && entry.getStatus() == Status.MANAGED) {
                for (KeyedColumn column : values.of(entry.getEntityName())) {
                    if (!column.isNumbered(each.getKey(), session)) {
                        column.find(each.getKey(), session).ifPresent(key -> {
                            counts.merge(key, 1, Integer::sum);
                            columns.put(key, column);
                        });
                    }
                }
            }
        }
        return counts;
    }

    /** At the end of the flush. */
    void giveBack(SharedSessionContractImplementor session) {
        left.forEach((key, numbers) -> {
            if (!numbers.isEmpty()
                    && Objects.requireNonNull(columns.get(key)).per().gapless()) {
                KeyedNumbers sequence = values.sequence(key.sequence());
                session.doWork(
                        connection -> sequence.giveBack(key.key(), numbers.getLast(), numbers.size(), connection));
            }
        });
    }
}
