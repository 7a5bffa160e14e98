package io.distributedid.internal.existing;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The search for the largest id of each remainder of {@code id % step} in one column. Several servers divide the ids by
 * remainder, so this is the largest id of each server. Finds all that lie less than {@code distance} below the largest
 * id, whatever gaps there are. It begins with the largest id, and reads one range after the other below it. One query
 * reads the next range of all columns that are searched together:
 *
 * <pre>
 * SELECT 0, MAX(id) FROM photo UNION ALL SELECT 1, MAX(id) FROM album UNION ALL ...;
 * SELECT 0, MAX(id) FROM photo WHERE id &gt; 4999900 AND id &lt;= 5000000 GROUP BY MOD(id, 3) UNION ALL ...;
 * SELECT 0, MAX(id) FROM photo WHERE id &gt; 4998900 AND id &lt;= 4999900 GROUP BY MOD(id, 3) UNION ALL ...; ...
 * </pre>
 *
 * Each range is ten times as long as the one before, and is read from the index. The search ends when every remainder
 * is found: in a dense table that is after the first range. For one thread.
 */
final class RemainderSearch {

    /** The length of the first range: short, since the ranges of all columns add up. */
    private static final long FIRST = 100;

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);

    private final IdQueries queries;

    private final long step;

    private final long distance;

    private final Map<Long, Long> found = new TreeMap<>();

    private boolean hasBegun;

    /** No id that is searched lies at or below it. */
    private long least;

    /** The end of the next range. */
    private long until;

    private long length = FIRST;

    RemainderSearch(IdQueries queries, IdColumn column) {
        this.queries = queries;
        step = column.step();
        distance = column.distance();
    }

    /**
     * Searches to the end.
     *
     * @param types that a column of the results may have; empty for any
     */
    static void run(Connection connection, Collection<RemainderSearch> searches, Set<Integer> types)
            throws SQLException {
        List<RemainderSearch> open = new ArrayList<>(searches);
        open.removeIf(RemainderSearch::isOver);
        while (!open.isEmpty()) {
            List<List<Long>> ids = read(connection, open, types);
            for (int i = 0; i < ids.size(); i++) {
                open.get(i).add(ids.get(i));
            }
            open.removeIf(RemainderSearch::isOver);
        }
    }

    private static List<List<Long>> read(Connection connection, List<RemainderSearch> searches, Set<Integer> types)
            throws SQLException {
        List<List<Long>> ids =
                searches.stream().<List<Long>>map(each -> new ArrayList<>()).toList();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(IntStream.range(0, searches.size())
                        .mapToObj(each ->
                                "SELECT " + each + ", " + searches.get(each).query())
                        .collect(Collectors.joining(" UNION ALL ")))) {
            int type = row.getMetaData().getColumnType(2);
            if (!types.isEmpty() && !types.contains(type)) {
                throw new SQLException("The largest ids must be whole numbers: type=" + type);
            }
            while (row.next()) {
                BigDecimal id = row.getBigDecimal(2);
                if (id != null) {
                    // A larger one as 2^63-1.
                    ids.get(row.getInt(1)).add(id.min(MAX).max(MIN).longValue());
                }
            }
        }
        return ids;
    }

    /** Whether every remainder is found or no range is left. */
    boolean isOver() {
        return hasBegun && (found.isEmpty() || found.size() >= step || until <= least);
    }

    /** The query of the next range. */
    private String query() {
        return hasBegun ? queries.ofEachRemainder(step, from(), until) : queries.largest();
    }

    private long from() {
        return Math.max(least, until - length);
    }

    /** Takes the ids of the next range, of which the first is the largest id alone. */
    void add(List<Long> ids) {
        ids.forEach(id -> found.putIfAbsent(Math.floorMod(id, step), id));
        if (hasBegun) {
            until = from();
            length = length > distance / 10 ? length : 10 * length;
        } else {
            hasBegun = true;
            until = ids.isEmpty() ? 0 : Math.max(0, ids.get(0));
            least = Math.max(0, until - distance);
        }
    }

    /** The ids found until now, one of each remainder. */
    List<Long> found() {
        return List.copyOf(found.values());
    }
}
