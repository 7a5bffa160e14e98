package io.distributedid.simulation;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The rows of a store of sections, and all that they were. */
final class SectionRows {

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, () -> 0);

    private final List<Map<String, Row>> history = new ArrayList<>();

    private final List<String> locked = new ArrayList<>();

    private boolean isMarked;

    Page read(Collection<String> names) {
        return ledger.read(names, true);
    }

    /** A row that a transaction holds is passed by. */
    Set<String> write(List<Change> changes) {
        Set<String> done = ledger.write(
                changes.stream().filter(each -> !locked.contains(each.name())).toList());
        if (!done.isEmpty() && isMarked) {
            history.add(Map.copyOf(rows));
        }
        return done;
    }

    boolean isMarked() {
        return isMarked;
    }

    /** Returns true. */
    boolean mark() {
        isMarked = true;
        return true;
    }

    void lock(String row) {
        locked.add(row);
    }

    void unlock(String row) {
        boolean unused = locked.remove(row);
    }

    Map<String, Row> content() {
        return Map.copyOf(rows);
    }

    /** What they were so many commits ago, but not before the sequence had begun. */
    Map<String, Row> ago(int commits) {
        return history.get(Math.max(0, history.size() - 1 - commits));
    }

    boolean hasHistory() {
        return !history.isEmpty();
    }

    void become(Map<String, Row> content) {
        rows.clear();
        rows.putAll(content);
    }

    /** As the documentation says. */
    void raise(long by) {
        rows.replaceAll((name, row) -> name.matches("@keyed/messages/.*")
                ? new Row(name, row.version(), row.number() + by, row.state(), row.text())
                : row);
    }

    @Override
    public String toString() {
        return rows.values().toString();
    }
}
