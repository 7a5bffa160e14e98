package io.distributedid.hibernate.internal.schema;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.jdbc.StatementLimit;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;

/**
 * Reads rows that may have numbers per key already, for example to find out whether there are any:
 *
 * <pre>
 * SELECT number FROM message WHERE number &gt; 0       -- at most one row; 3 instead of 0 if only those above 3 count
 * </pre>
 *
 * In a column of texts only those of digits are numbers: a cast fails on others on most databases. See
 * {@link StoredNumbers}.
 *
 * <p>Usually the first rows have one, or the table is small. But a large table with a new column is read to its end,
 * which must not delay each start: each query has the timeout {@code distributedid.existing_ids_timeout}. If that is
 * over, logs a warning. A table that is missing has no rows: it may be created after the start.
 *
 * @param stored how the mapping stores the numbers
 */
record NumberedRows(StartConnection connection, Settings settings, StoredNumbers stored) {

    private static final Logger LOG = System.getLogger(KeyedCheck.class.getName());

    /** Whether a row has a number above {@code floor}; false also if that is not found out, or not in time. */
    boolean existAbove(IdPlace place, long floor) throws SQLException {
        return read(place, () -> isAnyAbove(place, floor)).orElse(false);
    }

    private boolean isAnyAbove(IdPlace place, long floor) throws SQLException {
        try (Statement statement = connection.get().createStatement()) {
            statement.setMaxRows(1);
            try (ResultSet row = statement.executeQuery("SELECT " + place.column() + " FROM " + place.table()
                    + " WHERE " + storedIn(place).above(place.column(), floor))) {
                return row.next();
            }
        }
    }

    /** How the column of a place stores numbers. */
    StoredNumbers storedIn(IdPlace place) throws SQLException {
        try (Statement statement = connection.get().createStatement();
                ResultSet none = statement.executeQuery(
                        "SELECT " + place.column() + " FROM " + place.table() + " WHERE 1 = 0")) {
            return stored.in(none.getMetaData().getColumnType(1));
        }
    }

    /** Runs a query for rows of a place; empty if they are not read in time, or the table is missing. */
    <T> Optional<T> read(IdPlace place, SqlSupplier<T> query) throws SQLException {
        Duration limit = settings.forSequence(place.sequence()).get(CoreSettings.EXISTING_IDS_TIMEOUT);
        if (connection.get().isClosed()) {
            warn(place, stored, "the database did not answer when another table was read");
            return Optional.empty();
        }
        try {
            return Optional.of(StatementLimit.within(limit, connection.get(), query));
        } catch (SQLException e) {
            if (SqlErrors.isTimeout(e)) {
                warn(
                        place,
                        stored,
                        "the database did not answer within " + limit.toMillis()
                                + " ms (distributedid.existing_ids_timeout)");
            } else if (!SqlErrors.tableIsMissing(e)) {
                throw e;
            }
            return Optional.empty();
        }
    }

    /** Logs that the rows of a place are not compared. */
    static void warn(IdPlace place, StoredNumbers stored, String reason) {
        LOG.log(
                Level.WARNING,
                place.entity() + "." + place.path() + " (seq=" + place.sequence() + "): It is unknown whether the"
                        + " numbers of rows were issued by their sequence: table=" + place.table() + " column="
                        + place.column() + ", because " + reason + ". Those that were not are issued again. Look by"
                        + " hand: " + stored.queryOfLargest(place.column(), place.table())
                        + ". To end this warning, set " + Setting.SEQUENCE_PREFIX + place.sequence()
                        + ".existing_ids=ignore");
    }
}
