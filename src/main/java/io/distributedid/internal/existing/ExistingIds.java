package io.distributedid.internal.existing;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import javax.sql.DataSource;

/**
 * Reads the largest existing ids of one column, before a counter continues where AUTO_INCREMENT or another generator
 * ended. Without a limit: an operator asks for it. At the start of an application see {@link StartIds}.
 */
public final class ExistingIds {

    private ExistingIds() {}

    /** The largest id in a table of all shards; 0 if there is none, 2^63-1 if an id is larger. */
    public static long max(Collection<? extends DataSource> shards, String table, String column) throws SQLException {
        long max = 0;
        for (DataSource shard : shards) {
            try (Connection connection = shard.getConnection()) {
                max = Math.max(max, largest(connection, table, column).orElse(0));
            }
        }
        return max;
    }

    /** The largest id, which may be negative; empty if the table is empty or missing, or holds no ids. */
    public static OptionalLong largest(Connection connection, String table, String column) throws SQLException {
        return maxOfEachRemainder(connection, table, column, 1, 0).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /**
     * The largest ids in a table, one for each remainder of {@code id % step}; see {@link RemainderSearch}.
     *
     * @param column numbers or their digits, with an index
     * @return empty if the table is empty or missing; only the largest id if it is negative
     */
    public static List<Long> maxOfEachRemainder(
            Connection connection, String table, String column, long step, long distance) throws SQLException {
        IdColumn wanted = new IdColumn(table, column, IdForm.EITHER, step, distance);
        StoredColumn stored = StoredColumn.of(connection, wanted).orElse(null);
        if (stored == null) {
            return List.of();
        }
        RemainderSearch search = stored.search();
        RemainderSearch.run(connection, List.of(search), Set.of());
        return search.found();
    }
}
