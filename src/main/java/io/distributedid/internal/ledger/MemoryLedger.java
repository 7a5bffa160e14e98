package io.distributedid.internal.ledger;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A ledger in memory, for tests and the backend {@code memory}. Thread-safe.
 *
 * @param rows by name; who keeps them may change them as an operator or a fault would
 * @param clock milliseconds since 1970
 */
public record MemoryLedger(ConcurrentHashMap<String, Row> rows, LongSupplier clock) implements Ledger {

    @Override
    public Page read(Collection<String> names, boolean isSynchronised) {
        Map<String, Row> found = new HashMap<>();
        for (String name : names) {
            found.computeIfAbsent(name, rows::get);
        }
        return new Page(found, clock.getAsLong());
    }

    @Override
    public Set<String> write(List<Change> changes) {
        return Change.byName(changes).values().stream()
                .filter(change -> change.isDone(rows.compute(change.name(), (name, before) -> after(change, before))))
                .map(Change::name)
                .collect(Collectors.toSet());
    }

    /** The row after the change, or as it was if the change is refused. */
    static @Nullable Row after(Change change, @Nullable Row before) {
        Row next = change.next();
        if (before == null) {
            return change.expected().isEmpty() ? next : null;
        }
        if (!before.version().equals(change.expected().orElse(null))) {
            return before;
        }
        long number = change.lowers() ? next.number() : Math.max(before.number(), next.number());
        return new Row(next.name(), next.version(), number, next.state(), next.text());
    }
}
