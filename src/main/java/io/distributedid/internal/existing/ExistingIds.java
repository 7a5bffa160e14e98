package io.distributedid.internal.existing;

import io.distributedid.spi.DatabaseProduct;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import javax.sql.DataSource;

/** Reads the largest existing ids, before a counter continues where AUTO_INCREMENT or another generator ended. */
public final class ExistingIds {

    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);

    private static final long FIRST = 10_000;

    private ExistingIds() {}

    /**
     * The largest id in a table; 0 if the table is empty or missing, 2^63-1 if an id is larger.
     *
     * @param column numbers or their digits, best with an index
     */
    public static long max(Connection connection, String table, String column) throws SQLException {
        return Math.max(0, largest(connection, table, column).orElse(0));
    }

    /** The largest id in a table of all shards; 0 if there is none. */
    public static long max(Collection<? extends DataSource> shards, String table, String column) throws SQLException {
        long max = 0;
        for (DataSource shard : shards) {
            try (Connection connection = shard.getConnection()) {
                max = Math.max(max, max(connection, table, column));
            }
        }
        return max;
    }

    /** Like {@link #max}, but may be negative, and is empty if the table is empty or missing, or holds no ids. */
    public static OptionalLong largest(Connection connection, String table, String column) throws SQLException {
        return maxOfEachRemainder(connection, table, column, 1, 0).stream()
                .mapToLong(Long::longValue)
                .findFirst();
    }

    /**
     * The largest ids in a table, one for each remainder of {@code id % step}. Several servers divide the ids by
     * remainder, so this is the largest id of each server. Finds all that lie less than {@code distance} below the
     * largest id, whatever gaps there are:
     *
     * <pre>
     * SELECT MAX(id) FROM photo WHERE id &gt; 4990000 AND id &lt;= 5000000 GROUP BY MOD(id, 3);
     * SELECT MAX(id) FROM photo WHERE id &gt; 4890000 AND id &lt;= 4990000 GROUP BY MOD(id, 3); ...
     * </pre>
     *
     * Each range is ten times as long as the one before, and is read from the index. The search ends when every
     * remainder is found: in a dense table that is after the first range.
     *
     * @param column numbers or their digits, with an index
     * @return empty if the table is empty or missing; only the largest id if it is negative
     */
    public static List<Long> maxOfEachRemainder(
            Connection connection, String table, String column, long step, long distance) throws SQLException {
        StoredColumn stored = StoredColumn.of(connection, table, column).orElse(null);
        return stored == null
                ? List.of()
                : maxOfEachRemainder(connection, table, column, stored.isText(), IdForm.EITHER, step, distance);
    }

    /** The same for a table that exists. {@code form} applies to text columns. */
    static List<Long> maxOfEachRemainder(
            Connection connection, String table, String column, boolean isText, IdForm form, long step, long distance)
            throws SQLException {
        Optional<DatabaseProduct> product = DatabaseProduct.find(connection);
        if (isText && product.isEmpty()) {
            return OtherTexts.largest(connection, table, column, form);
        }
        IdQueries queries =
                isText ? IdQueries.ofTexts(table, column, form, product.get()) : IdQueries.ofNumbers(table, column);
        List<Long> largest = read(connection, queries.largest());
        if (largest.isEmpty()) {
            return largest;
        }
        RemainderSearch search = new RemainderSearch(queries, largest.get(0), step, distance, FIRST);
        while (!search.isOver()) {
            search.add(read(connection, search.query()));
        }
        return search.found();
    }

    private static List<Long> read(Connection connection, String sql) throws SQLException {
        List<Long> ids = new ArrayList<>();
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            while (row.next()) {
                BigDecimal id = row.getBigDecimal(1);
                if (id != null) {
                    ids.add(toLong(id));
                }
            }
        }
        return ids;
    }

    /** A larger id as 2^63-1. */
    static long toLong(BigDecimal id) {
        return id.min(MAX).max(MIN).longValue();
    }
}
