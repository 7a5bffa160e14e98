package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.StatementLimit;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads the largest ids of many columns at the start of an application, in few round trips. Reads the columns that
 * {@link IndexedNumbers} finds, up to 100 with one query:
 *
 * <pre>
 * SELECT 0, MAX(id) FROM photo UNION ALL SELECT 1, MAX(id) FROM album UNION ALL ...
 * </pre>
 *
 * If several servers divide the ids, further queries read the next range of each column that lacks a remainder, see
 * {@link ExistingIds#maxOfEachRemainder}:
 *
 * <pre>
 * SELECT 0, MAX(id) FROM photo WHERE id &gt; 4990000 AND id &lt;= 5000000 GROUP BY MOD(id, 3) UNION ALL ...
 * </pre>
 *
 * <p>Leaves out what is unusual, for {@link StartIds} to read: texts, columns without an index, missing tables, unknown
 * databases, and all columns of a query that fails or exceeds its limit. For one thread.
 */
public final class LargestOfMany {

    private static final Logger LOG = System.getLogger(LargestOfMany.class.getName());

    private static final int TOGETHER = 100;

    /** Short, since the ranges of all columns add up. */
    private static final long FIRST = 100;

    private static final Set<Integer> WHOLE_NUMBERS =
            Set.of(Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.DECIMAL, Types.NUMERIC);

    @FunctionalInterface
    private interface Query {
        void run() throws SQLException;
    }

    private final Connection connection;

    private final Duration limit;

    private final Deque<Query> todo = new ArrayDeque<>();

    private final Map<IdColumn, List<Long>> read;

    /** @param read gets the results */
    private LargestOfMany(Connection connection, Duration limit, Map<IdColumn, List<Long>> read) {
        this.connection = connection;
        this.limit = limit;
        this.read = read;
    }

    /**
     * Reads what it can.
     *
     * @param connection closed if the server hangs
     * @param limit of each query
     * @return for each column that was read what {@link StartIds#read} would return
     */
    public static Map<IdColumn, List<Long>> read(Connection connection, Collection<IdColumn> columns, Duration limit)
            throws SQLException {
        Map<IdColumn, List<Long>> read = new HashMap<>();
        DatabaseProduct product = DatabaseProduct.find(connection).orElse(null);
        if (product != null) {
            LargestOfMany all = new LargestOfMany(connection, limit, read);
            all.todo.add(() -> all.find(product, columns));
            all.run(product);
        }
        return read;
    }

    private void run(DatabaseProduct product) throws SQLException {
        // A transaction of PostgreSQL locks each table and index until its end, and the server has few locks.
        boolean isOneByOne = product == DatabaseProduct.POSTGRESQL;
        while (!todo.isEmpty() && !connection.isClosed()) {
            Query first = todo.remove();
            try {
                StatementLimit.within(limit, connection, () -> {
                    first.run();
                    while (!todo.isEmpty() && !isOneByOne) {
                        todo.remove().run();
                    }
                    return read;
                });
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "The largest ids of several columns are read one by one", e);
            }
        }
    }

    private void find(DatabaseProduct product, Collection<IdColumn> columns) throws SQLException {
        List<IdColumn> usual = IndexedNumbers.among(connection, product, columns);
        for (int from = 0; from < usual.size(); from += TOGETHER) {
            List<IdColumn> some = usual.subList(from, Math.min(usual.size(), from + TOGETHER));
            todo.add(() -> readTogether(some));
        }
    }

    /** Searches one id of each remainder, beginning at the largest id of each column. */
    private void readTogether(List<IdColumn> columns) throws SQLException {
        List<IdQueries> queries = columns.stream()
                .map(each -> IdQueries.ofNumbers(each.table(), each.column()))
                .toList();
        List<List<Long>> largest =
                union(queries.stream().map(IdQueries::largest).toList());
        Map<IdColumn, RemainderSearch> open = new LinkedHashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            IdColumn column = columns.get(i);
            if (largest.get(i).isEmpty()) {
                read.put(column, List.of());
            } else {
                long first = largest.get(i).get(0);
                open.put(column, new RemainderSearch(queries.get(i), first, column.step(), column.distance(), FIRST));
            }
        }
        finish(open);
        while (!open.isEmpty()) {
            List<RemainderSearch> searches = List.copyOf(open.values());
            List<List<Long>> found =
                    union(searches.stream().map(RemainderSearch::query).toList());
            for (int i = 0; i < found.size(); i++) {
                searches.get(i).add(found.get(i));
            }
            finish(open);
        }
    }

    /** Moves finished columns to the result, because the query of the others may fail. */
    private void finish(Map<IdColumn, RemainderSearch> open) {
        open.forEach((column, search) -> {
            if (search.isOver()) {
                read.put(column, search.found());
            }
        });
        open.values().removeIf(RemainderSearch::isOver);
    }

    /** The ids that each query gives. */
    private List<List<Long>> union(List<String> queries) throws SQLException {
        List<List<Long>> ids = new ArrayList<>();
        StringBuilder sql = new StringBuilder();
        for (String query : queries) {
            sql.append(ids.isEmpty() ? "" : " UNION ALL ")
                    .append(IdQueries.SELECT)
                    .append(ids.size())
                    .append(", ")
                    .append(query, IdQueries.SELECT.length(), query.length());
            ids.add(new ArrayList<>());
        }
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql.toString())) {
            requireWholeNumbers(row.getMetaData().getColumnType(2));
            while (row.next()) {
                BigDecimal id = row.getBigDecimal(2);
                if (id != null) {
                    ids.get(row.getInt(1)).add(ExistingIds.toLong(id));
                }
            }
        }
        return ids;
    }

    /** A column of another type would change the type of the union, and its order or digits with it. */
    private static void requireWholeNumbers(int type) throws SQLException {
        if (!WHOLE_NUMBERS.contains(type)) {
            throw new SQLException("The largest ids must be whole numbers: type=" + type);
        }
    }
}
