package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.DedicatedConnection;
import io.distributedid.internal.process.Platform;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/** Connections to the row servers of a test. */
final class RowConnections {

    private RowConnections() {}

    /** To one of two servers. */
    static DedicatedConnection<RowSession> of(DataSource database, int place, Duration timeout) {
        return of(database, place, timeout, () -> 0);
    }

    /** @param clock of the time when a connection began to be opened */
    static DedicatedConnection<RowSession> of(DataSource database, int place, Duration timeout, LongSupplier clock) {
        return of(database, place, 2, timeout, clock);
    }

    static DedicatedConnection<RowSession> of(
            DataSource database, int place, int servers, Duration timeout, LongSupplier clock) {
        ConnectionAccess access = new ConnectionAccess() {

            @Override
            public Connection obtain() throws SQLException {
                return database.getConnection();
            }

            @Override
            public String label() {
                return "server " + place;
            }
        };
        RowSession.Place where =
                new RowSession.Place(new RowTable("keyed_sequence", false, access.label()), servers, place);
        return new DedicatedConnection<>(new RowSource(access, where, clock), timeout, Platform.JVM);
    }
}
