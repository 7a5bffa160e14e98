package io.distributedid.internal.start;

import io.distributedid.DistributedIds;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.LargestOfMany;
import io.distributedid.spi.LargestIds;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares many columns with their sequences. Usual columns are read together, and counters are asked together. */
public final class PlaceComparison {

    private PlaceComparison() {}

    /** Fails if a counter, or the clock, would give existing ids. The sequences must be open. */
    public static void compare(Collection<PlaceCheck> checks, DistributedIds ids, StartConnection connection)
            throws SQLException {
        compareAll(readAll(checks, connection), ids);
    }

    /** How long a query for several columns may take: as long as for one of them. */
    private static Duration limit(Collection<PlaceCheck> checks) {
        return checks.stream()
                .map(PlaceCheck::limit)
                .max(Comparator.naturalOrder())
                .orElse(Duration.ZERO);
    }

    /** The existing ids of each place. */
    private static Map<PlaceCheck, LargestIds> readAll(Collection<PlaceCheck> checks, StartConnection connection)
            throws SQLException {
        Map<PlaceCheck, IdColumn> wanted = new LinkedHashMap<>();
        Set<IdColumn> together = new LinkedHashSet<>();
        for (PlaceCheck check : checks) {
            IdColumn column = check.column();
            wanted.put(check, column);
            if (check.isReadTogether()) {
                together.add(column);
            }
        }
        Map<IdColumn, List<Long>> known =
                together.isEmpty() ? Map.of() : LargestOfMany.read(connection.get(), together, limit(checks));
        Map<PlaceCheck, LargestIds> read = new LinkedHashMap<>();
        wanted.forEach((check, column) -> read.put(check, check.read(connection, column, known.get(column))));
        return read;
    }

    private static void compareAll(Map<PlaceCheck, LargestIds> read, DistributedIds ids) throws SQLException {
        Map<String, List<Long>> existing = new LinkedHashMap<>();
        Map<String, List<Long>> raised = new LinkedHashMap<>();
        for (Map.Entry<PlaceCheck, LargestIds> each : read.entrySet()) {
            (each.getKey().isRaised() ? raised : existing)
                    .computeIfAbsent(each.getKey().sequence(), sequence -> new ArrayList<>())
                    .addAll(each.getKey().known(each.getValue()));
        }
        ids.admin().prepareAbove(existing);
        ids.admin().prepareRaiseAbove(raised);
        for (Map.Entry<PlaceCheck, LargestIds> each : read.entrySet()) {
            each.getKey().compare(each.getValue());
        }
    }
}
