package io.distributedid.internal.keyed;

import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.keyed.row.KnownRecords;
import io.distributedid.internal.keyed.row.RowRecord;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.spi.ConnectionAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/**
 * The records of sequences whose rows have a server of their own, as the application's database remembers them, see
 * {@link RememberedPlaces}.
 *
 * @param timeout of connecting and of each answer
 */
record RowMemory(ConnectionAccess application, Duration timeout) implements KnownRecords.Memory {

    @Override
    public Optional<String> remember(String sequence, Optional<String> record) throws SQLException {
        try (JdbcLink<?> link = JdbcLink.borrow(application, timeout, timeout)) {
            return new RememberedPlaces(link.connection(), application.namespace(), application.label())
                    .remember(RowRecord.PLACE + sequence, record);
        } catch (SQLException e) {
            throw new SQLException(
                    "Can't read from the application's database where a sequence was numbered before: seq=" + sequence
                            + ", " + application.label() + " said: " + FailureText.of(e)
                            + ". If it is a pool, it must have room for a connection beside those of the callers",
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while asking the application's database: seq=" + sequence, e);
        }
    }
}
