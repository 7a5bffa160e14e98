package io.distributedid.backend.sequencetable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Reads and creates several rows of a sequence table with one statement. For one thread at a time.
 *
 * <pre>
 * SELECT name, id FROM sequence WHERE name IN ('photos', 'users');
 * INSERT INTO sequence (name, id) VALUES ('photos', 0), ('users', 0);
 * </pre>
 *
 * <p>A table may compare names without regard to case, or by rules that are not known here. So a row belongs to a
 * sequence only if their names are equal. A sequence without such a row is left out if another row was found, or if the
 * row could have another spelling. The INSERT fails if the table holds one of the names already.
 */
final class SequenceTableRows {

    private final RowSet rows;

    private final SequenceTableCounter.Place place;

    SequenceTableRows(Connection connection, SequenceTableCounter.Place place) {
        this.rows = new RowSet(connection);
        this.place = place;
    }

    /** The last ids by name; empty for a sequence that has no row. Leaves out those that are to be read one by one. */
    Map<String, OptionalLong> last(Collection<String> names) throws SQLException {
        Map<String, Long> found = rows.read(RowSet.selectIds(place.table(), names), names);
        Map<String, OptionalLong> last = new HashMap<>();
        found.forEach((name, id) -> {
            if (id < Long.MAX_VALUE) {
                last.put(name, OptionalLong.of(id));
            }
        });
        boolean isRespelt = !last.keySet().stream().allMatch(Set.copyOf(names)::contains);
        List<String> missing =
                names.stream().filter(name -> !found.containsKey(name)).toList();
        if (!isRespelt && !missing.isEmpty()) {
            Set<String> doubtful = place.isCaseless() ? doubtful(names, missing) : Set.of();
            missing.stream()
                    .filter(name -> !doubtful.contains(name.toLowerCase(Locale.ROOT)))
                    .forEach(name -> last.put(name, OptionalLong.empty()));
        }
        last.keySet().retainAll(names);
        return last;
    }

    /** Names in lower case that two sequences have, or that the record spells differently. */
    private Set<String> doubtful(Collection<String> names, List<String> missing) throws SQLException {
        Set<String> doubtful = new HashSet<>(place.record().respelt(missing));
        names.stream()
                .collect(Collectors.groupingBy(name -> name.toLowerCase(Locale.ROOT), Collectors.counting()))
                .forEach((name, count) -> {
                    if (count > 1) {
                        doubtful.add(name);
                    }
                });
        return doubtful;
    }

    /** In a transaction: raises rows to ids, and lowers none. Fails if one is missing. */
    void raise(Map<String, Long> ids) throws SQLException {
        rows.raise(place.table(), ids);
    }

    /** In a transaction: creates rows. Fails if one is there. */
    void insert(Map<String, Long> ids) throws SQLException {
        rows.insert(place.table(), ids, "");
    }
}
