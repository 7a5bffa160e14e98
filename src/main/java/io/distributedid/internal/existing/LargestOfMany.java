package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.SqlSupplier;
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
import java.util.LinkedHashSet;
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

    @FunctionalInterface
    private interface Work {
        void run(List<IdColumn> columns) throws SQLException;
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

    /** As below, if nothing was read before. */
    public static Map<IdColumn, List<Long>> read(Connection connection, Collection<IdColumn> columns, Duration limit)
            throws SQLException {
        return read(() -> connection, columns, limit, Map.of());
    }

    /**
     * Reads what it can.
     *
     * @param connection asked for if something is left to read; closed if the server hangs
     * @param limit of each query
     * @param before the results of an earlier call for the same columns with step 1
     * @return for each column that was read what {@link StartIds#read} would return
     */
    public static Map<IdColumn, List<Long>> read(
            SqlSupplier<Connection> connection,
            Collection<IdColumn> columns,
            Duration limit,
            Map<IdColumn, List<Long>> before)
            throws SQLException {
        Map<IdColumn, List<Long>> read = new HashMap<>();
        Map<IdColumn, List<Long>> known = new LinkedHashMap<>();
        Set<IdColumn> unknown = new LinkedHashSet<>();
        for (IdColumn column : columns) {
            List<Long> ids = before.get(new IdColumn(column.table(), column.column(), 1, 0));
            if (ids == null) {
                unknown.add(column);
            } else if (column.step() == 1 || ids.isEmpty()) {
                read.put(column, ids);
            } else {
                known.put(column, ids);
            }
        }
        if (!unknown.isEmpty() || !known.isEmpty()) {
            DatabaseProduct product = DatabaseProduct.find(connection.get()).orElse(null);
            if (product == null) {
                return read;
            }
            new LargestOfMany(connection.get(), limit, read).run(product, unknown, known);
        }
        return read;
    }

    private void run(DatabaseProduct product, Set<IdColumn> unknown, Map<IdColumn, List<Long>> known)
            throws SQLException {
        if (!unknown.isEmpty()) {
            todo.add(() -> find(product, unknown));
        }
        together(List.copyOf(known.keySet()), some -> search(some, known));
        run(product);
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
        together(IndexedNumbers.among(connection, product, columns), this::readTogether);
    }

    private void together(List<IdColumn> columns, Work work) {
        for (int from = 0; from < columns.size(); from += TOGETHER) {
            List<IdColumn> some = columns.subList(from, Math.min(columns.size(), from + TOGETHER));
            todo.add(() -> work.run(some));
        }
    }

    private void readTogether(List<IdColumn> columns) throws SQLException {
        List<IdQueries> queries = columns.stream()
                .map(each -> IdQueries.ofNumbers(each.table(), each.column()))
                .toList();
        List<List<Long>> found = union(queries.stream().map(IdQueries::largest).toList());
        Map<IdColumn, List<Long>> largest = new HashMap<>();
        for (int i = 0; i < columns.size(); i++) {
            largest.put(columns.get(i), found.get(i));
        }
        search(columns, largest);
    }

    /** Searches one id of each remainder, beginning at the largest id of each column. */
    private void search(List<IdColumn> columns, Map<IdColumn, List<Long>> largest) throws SQLException {
        Map<IdColumn, RemainderSearch> open = new LinkedHashMap<>();
        for (IdColumn column : columns) {
            List<Long> ids = largest.getOrDefault(column, List.of());
            if (ids.isEmpty()) {
                read.put(column, List.of());
            } else {
                IdQueries queries = IdQueries.ofNumbers(column.table(), column.column());
                open.put(column, new RemainderSearch(queries, ids.get(0), column.step(), column.distance(), FIRST));
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
