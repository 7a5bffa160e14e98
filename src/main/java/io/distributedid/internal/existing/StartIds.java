package io.distributedid.internal.existing;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.jdbc.StatementLimit;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.LargestIds;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Reads the largest ids of a column at the start of an application. A large table must not delay the start: either an
 * index begins with the column, or the table has few rows, which one query tests:
 *
 * <pre>
 * SELECT 1 FROM photo OFFSET 100000 ROWS FETCH FIRST 1 ROWS ONLY
 * </pre>
 *
 * Each query has a timeout. If the ids are not read, a {@link NotComparedException} gives the reason.
 */
public final class StartIds implements LargestIds {

    /** So few rows are read in a fraction of a second. */
    private static final int FEW = 100_000;

    private final SqlSupplier<Connection> connection;

    private final String table;

    private final String column;

    private final boolean padded;

    private final Duration limit;

    private final Consumer<String> incomplete;

    /**
     * Reads nothing yet.
     *
     * @param connection asked for when ids are read; closed if the server hangs
     * @param padded whether the entity pads texts with zeros
     * @param limit of each query
     * @param incomplete gets the reason if only the largest id was read
     */
    public StartIds(
            SqlSupplier<Connection> connection,
            String table,
            String column,
            boolean padded,
            Duration limit,
            Consumer<String> incomplete) {
        this.connection = connection;
        this.table = table;
        this.column = column;
        this.padded = padded;
        this.limit = limit;
        this.incomplete = incomplete;
    }

    /** Throws {@link NotComparedException} if the ids were not read. */
    @Override
    public List<Long> read(long step, long distance) throws SQLException {
        if (connection.get().isClosed()) {
            throw new NotComparedException("the database did not answer when another column was read", false);
        }
        try {
            return StatementLimit.within(limit, connection.get(), () -> readAll(step, distance));
        } catch (NotComparedException e) {
            throw e;
        } catch (SQLException e) {
            throw SqlErrors.isTimeout(e) ? new NotComparedException(tooSlow(), e) : e;
        }
    }

    /** Reads now. What this returns or throws appears when the result is asked for the same ids. */
    public LargestIds readNow(long step, long distance) {
        try {
            return known(step, distance, read(step, distance));
        } catch (SQLException e) {
            return (anyStep, anyDistance) -> {
                throw e;
            };
        }
    }

    /** Reads nothing, because the ids are known. If asked for other ones, reads them. */
    public LargestIds known(long step, long distance, List<Long> ids) {
        return (otherStep, otherDistance) ->
                otherStep == step && otherDistance == distance ? ids : read(otherStep, otherDistance);
    }

    private String tooSlow() {
        return "the database did not answer within " + limit.toMillis() + " ms (distributedid.existing_ids_timeout)";
    }

    private List<Long> readAll(long step, long distance) throws SQLException {
        StoredColumn stored = StoredColumn.of(connection.get(), table, column).orElse(null);
        if (stored == null) {
            return List.of();
        }
        if (!stored.isText() && !stored.isNumber()) {
            throw new NotComparedException("it holds neither numbers nor texts: type=" + stored.typeName(), false);
        }
        boolean isOrdered = !stored.isText() || padded;
        if (!(isOrdered && leadsAnIndex(stored)) && hasManyRows()) {
            throw new NotComparedException(
                    (isOrdered
                                    ? "no index begins with the column"
                                    : "the largest of unpadded texts is found only by reading all")
                            + ", and the table has more than " + FEW + " rows",
                    isOrdered);
        }
        List<Long> largest = largest(stored, 1, 0);
        if (stored.isText() && largest.isEmpty() && hasTexts()) {
            throw new NotComparedException("no text there is an id in decimal digits", false);
        }
        return step == 1 || largest.isEmpty() ? largest : largestOfEachRemainder(stored, largest, step, distance);
    }

    private List<Long> largest(StoredColumn stored, long step, long distance) throws SQLException {
        return ExistingIds.maxOfEachRemainder(
                connection.get(), table, column, stored.isText(), IdForm.of(padded), step, distance);
    }

    /** May be slow: if one server has given no id, the search covers the whole distance. */
    private List<Long> largestOfEachRemainder(StoredColumn stored, List<Long> largest, long step, long distance)
            throws SQLException {
        try {
            return largest(stored, step, distance);
        } catch (SQLException e) {
            if (!SqlErrors.isTimeout(e) || SqlErrors.isUnanswered(e)) {
                throw e;
            }
            incomplete.accept(tooSlow());
            return largest;
        }
    }

    private boolean leadsAnIndex(StoredColumn stored) throws SQLException {
        try {
            return stored.leadsAnIndex(connection.get(), table);
        } catch (SQLException e) {
            throw SqlErrors.isTimeout(e)
                    ? e
                    : new NotComparedException("its indexes can't be read: " + e.getMessage(), e);
        }
    }

    private boolean hasManyRows() throws SQLException {
        return hasRow("SELECT 1 FROM " + table + IdQueries.oneRow(FEW, DatabaseProduct.find(connection.get())));
    }

    private boolean hasTexts() throws SQLException {
        return hasRow("SELECT 1 FROM " + table + " WHERE " + column + " IS NOT NULL");
    }

    private boolean hasRow(String sql) throws SQLException {
        try (Statement statement = connection.get().createStatement()) {
            statement.setMaxRows(1);
            try (ResultSet row = statement.executeQuery(sql)) {
                return row.next();
            }
        }
    }
}
