package io.distributedid.internal.start;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.jdbc.StatementLimit;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/**
 * Finds out whether rows of a table have numbers per key already:
 *
 * <pre>
 * SELECT number FROM message WHERE number IS NOT NULL       -- at most one row
 * </pre>
 *
 * Usually the first rows have one, or the table is small. But a large table with a new column is read to its end, which
 * must not delay each start: the query has the timeout {@link DistributedIdSettings#EXISTING_IDS_TIMEOUT}. If that is
 * over, logs a warning.
 */
public final class NumberedRows {

    private final StartConnection connection;

    private final Settings settings;

    private final Logger log;

    /** @param log gets the warnings, in the name of the provider's package */
    public NumberedRows(StartConnection connection, Settings settings, Logger log) {
        this.connection = connection;
        this.settings = settings;
        this.log = log;
    }

    /** Whether a row has a number; false also if that is not found out in time. */
    public boolean exist(IdPlace place) throws SQLException {
        Duration limit = settings.forSequence(place.sequence()).get(CoreSettings.EXISTING_IDS_TIMEOUT);
        if (connection.get().isClosed()) {
            warn(place, "the database did not answer when another table was read");
            return false;
        }
        try {
            return StatementLimit.within(limit, connection.get(), () -> hasRow(place));
        } catch (SQLException e) {
            if (!SqlErrors.isTimeout(e)) {
                throw e;
            }
            warn(
                    place,
                    "the database did not answer within " + limit.toMillis() + " ms ("
                            + DistributedIdSettings.EXISTING_IDS_TIMEOUT + ")");
            return false;
        }
    }

    private boolean hasRow(IdPlace place) throws SQLException {
        try (Statement statement = connection.get().createStatement()) {
            statement.setMaxRows(1);
            try (ResultSet row = statement.executeQuery("SELECT " + place.column() + " FROM " + place.table()
                    + " WHERE " + place.column() + " IS NOT NULL")) {
                return row.next();
            }
        }
    }

    private void warn(IdPlace place, String reason) {
        log.log(
                Level.WARNING,
                place.entity() + "." + place.path() + " (seq=" + place.sequence()
                        + "): It is unknown whether rows have numbers: table=" + place.table() + " column="
                        + place.column() + ", because " + reason
                        + ". If one has, each key begins at 1 again. Look by hand: SELECT MAX(" + place.column()
                        + ") FROM " + place.table() + ". To end this warning, set "
                        + DistributedIdSettings.SEQUENCE_PREFIX + place.sequence() + ".existing_ids=ignore");
    }
}
