package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StatementLimit;
import io.distributedid.spi.DatabaseProduct;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the largest ids of columns at the start of an application. First those that hold whole numbers and lead an
 * index, up to 100 with one query, see {@link RemainderSearch}; then each of the others alone: texts, columns without
 * an index, missing tables, unknown databases, and all columns of a query that failed.
 *
 * <p>A large table must not delay the start: either an index begins with the column, or the table has few rows, which
 * one query tests:
 *
 * <pre>
 * SELECT 1 FROM photo OFFSET 100000 ROWS FETCH FIRST 1 ROWS ONLY
 * </pre>
 *
 * Each query has a limit. For one thread.
 */
public final class StartIds {

    private static final Logger LOG = System.getLogger(StartIds.class.getName());

    /** So few rows are read in a fraction of a second. */
    private static final int FEW = 100_000;

    private static final int TOGETHER = 100;

    /** A column of another type would change the type of the union, and its order or digits with it. */
    private static final Set<Integer> WHOLE_NUMBERS =
            Set.of(Types.SMALLINT, Types.INTEGER, Types.BIGINT, Types.DECIMAL, Types.NUMERIC);

    /**
     * What was found in a column.
     *
     * @param ids the largest of each remainder; with a gap only some of them, or none
     * @param gap why others were not read; empty if all were
     * @param helpedByIndex whether an index that begins with the column would help
     * @param cause of the gap
     */
    public record Found(
            List<Long> ids,
            String gap,
            boolean helpedByIndex,
            @Nullable SQLException cause) {

        static Found of(List<Long> ids) {
            return new Found(ids, "", false, null);
        }

        /** Nothing was read, for a reason that is no failure. */
        public static Found unread(String gap) {
            return new Found(List.of(), gap, false, null);
        }
    }

    @FunctionalInterface
    private interface Step {
        void run() throws SQLException;
    }

    private final Connection connection;

    private final Map<IdColumn, List<Long>> largest = new HashMap<>();

    /** Null until it was read. */
    private @Nullable Catalog catalog;

    private @Nullable SQLException catalogFailure;

    /**
     * Reads nothing yet.
     *
     * @param connection closed if the server hangs
     */
    public StartIds(Connection connection) {
        this.connection = connection;
    }

    /**
     * Reads the largest id of each column that can be read with others, and keeps it for {@link #read}.
     *
     * @param limits of each query for a column, with step 1; a query for several columns has the longest
     */
    public void readLargest(Map<IdColumn, Duration> limits) throws SQLException {
        largest.putAll(together(limits.keySet(), longest(limits.values())));
    }

    /** What {@link #readLargest} found in a column, 0 if it holds no id; empty if it could not be read with others. */
    public OptionalLong largest(IdColumn column) {
        List<Long> read = largest.get(column);
        return read == null
                ? OptionalLong.empty()
                : OptionalLong.of(read.stream().mapToLong(Long::longValue).max().orElse(0));
    }

    /**
     * Reads the columns that can be read with others.
     *
     * @param limit of each query
     */
    public Map<IdColumn, List<Long>> together(Collection<IdColumn> columns, Duration limit) throws SQLException {
        Optional<DatabaseProduct> product = connection.isClosed() ? Optional.empty() : DatabaseProduct.find(connection);
        Map<IdColumn, List<Long>> read = new LinkedHashMap<>();
        if (product.isEmpty()) {
            return read;
        }
        search(product.get(), columns, limit).forEach((column, search) -> {
            if (search.isOver()) {
                read.put(column, search.found());
            }
        });
        return read;
    }

    /** Reads all columns. Limits as in {@link #readLargest}. */
    public Map<IdColumn, Found> read(Map<IdColumn, Duration> limits) throws SQLException {
        Map<IdColumn, Found> read = new HashMap<>();
        together(limits.keySet(), longest(limits.values())).forEach((column, ids) -> read.put(column, Found.of(ids)));
        for (Map.Entry<IdColumn, Duration> each : limits.entrySet()) {
            if (!read.containsKey(each.getKey())) {
                read.put(each.getKey(), alone(each.getKey(), each.getValue()));
            }
        }
        return read;
    }

    private static Duration longest(Collection<Duration> limits) {
        return limits.stream().max(Comparator.naturalOrder()).orElse(Duration.ZERO);
    }

    /**
     * All queries under one limit, since each begin and end of one takes trips. On PostgreSQL each query apart: a
     * transaction locks each table and index until its end.
     */
    private Map<IdColumn, RemainderSearch> search(DatabaseProduct product, Collection<IdColumn> columns, Duration limit)
            throws SQLException {
        Map<IdColumn, RemainderSearch> searches = new LinkedHashMap<>();
        Deque<Step> steps = new ArrayDeque<>();
        if (catalog != null) {
            steps.addAll(begin(searches, catalog, columns));
        } else if (catalogFailure == null) {
            steps.add(() -> {
                catalog = Catalog.of(connection, product, columns);
                steps.addAll(begin(searches, catalog, columns));
            });
        }
        while (!steps.isEmpty() && !connection.isClosed()) {
            Step first = steps.remove();
            try {
                boolean unused = StatementLimit.within(limit, connection, () -> {
                    first.run();
                    while (product != DatabaseProduct.POSTGRESQL && !steps.isEmpty()) {
                        steps.remove().run();
                    }
                    return true;
                });
            } catch (SQLException e) {
                LOG.log(Level.DEBUG, "The largest ids of several columns are read one by one", e);
                if (catalog == null) {
                    catalogFailure = e;
                }
            }
        }
        return searches;
    }

    /** Begins the search of each usual column; the steps read what is not known yet. */
    private List<Step> begin(Map<IdColumn, RemainderSearch> searches, Catalog known, Collection<IdColumn> columns) {
        List<RemainderSearch> open = new ArrayList<>();
        for (IdColumn column : columns) {
            if (known.isUsual(column)) {
                RemainderSearch search =
                        new RemainderSearch(IdQueries.ofNumbers(column.table(), column.column()), column);
                List<Long> before = largest.get(column.largest());
                if (before != null) {
                    search.add(before);
                }
                searches.put(column, search);
                if (!search.isOver()) {
                    open.add(search);
                }
            }
        }
        List<Step> steps = new ArrayList<>();
        for (int from = 0; from < open.size(); from += TOGETHER) {
            List<RemainderSearch> some = open.subList(from, Math.min(open.size(), from + TOGETHER));
            steps.add(() -> RemainderSearch.run(connection, some, WHOLE_NUMBERS));
        }
        return steps;
    }

    private Found alone(IdColumn column, Duration limit) throws SQLException {
        if (connection.isClosed()) {
            return Found.unread(tooSlow(limit));
        }
        try {
            return StatementLimit.within(limit, connection, () -> readAlone(column, limit));
        } catch (SQLException e) {
            if (!SqlErrors.isTimeout(e)) {
                throw e;
            }
            return new Found(List.of(), tooSlow(limit), false, e);
        }
    }

    private static String tooSlow(Duration limit) {
        return "the database did not answer within " + limit.toMillis() + " ms (distributedid.existing_ids_timeout)";
    }

    private Found readAlone(IdColumn column, Duration limit) throws SQLException {
        StoredColumn stored = StoredColumn.of(connection, column).orElse(null);
        if (stored == null) {
            return Found.of(List.of());
        }
        if (stored.hindrance().isPresent()) {
            return Found.unread(stored.hindrance().get());
        }
        if (stored.product().isEmpty()) {
            return Found.unread("a start reads only the indexes of MySQL, MariaDB, PostgreSQL and H2");
        }
        if (!(stored.isOrdered() && leadsAnIndex(column)) && hasManyRows(column)) {
            return new Found(List.of(), noIndex(stored), stored.isOrdered(), catalogFailure);
        }
        RemainderSearch search = stored.search();
        try {
            RemainderSearch.run(connection, List.of(search), Set.of());
        } catch (SQLException e) {
            // If one server has given no id, the search covers the whole distance.
            if (search.found().isEmpty() || !SqlErrors.isTimeout(e) || SqlErrors.isUnanswered(e)) {
                throw e;
            }
            return new Found(search.found(), tooSlow(limit), false, e);
        }
        return stored.isText() && search.found().isEmpty() && hasTexts(column)
                ? Found.unread("none of its texts is an id in decimal digits")
                : Found.of(search.found());
    }

    private boolean leadsAnIndex(IdColumn column) {
        Catalog known = catalog;
        return known != null && known.leadsAnIndex(column);
    }

    private String noIndex(StoredColumn stored) {
        if (stored.isOrdered() && catalogFailure != null) {
            return "its indexes can't be read: " + catalogFailure.getMessage();
        }
        return (stored.isOrdered()
                        ? "no index begins with the column"
                        : "the largest of unpadded texts is found only by reading all")
                + ", and the table has more than " + FEW + " rows";
    }

    private boolean hasManyRows(IdColumn column) throws SQLException {
        return hasRow("SELECT 1 FROM " + column.table() + IdQueries.oneRow(FEW, DatabaseProduct.find(connection)));
    }

    private boolean hasTexts(IdColumn column) throws SQLException {
        return hasRow("SELECT 1 FROM " + column.table() + " WHERE " + column.column() + " IS NOT NULL");
    }

    private boolean hasRow(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setMaxRows(1);
            try (ResultSet row = statement.executeQuery(sql)) {
                return row.next();
            }
        }
    }
}
