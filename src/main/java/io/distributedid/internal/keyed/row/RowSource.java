package io.distributedid.internal.keyed.row;

import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.ConnectionAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Connects to one server. Thread-safe.
 *
 * @param nanoTime the clock of {@link RowComparison}
 */
record RowSource(ConnectionAccess access, RowSession.Place place, LongSupplier nanoTime)
        implements Link.Source<RowSession> {

    @Override
    public String label() {
        return access.label();
    }

    @Override
    public Link<RowSession> connect(Duration atMost) throws SQLException {
        // The address may lead to another server before the connection is open.
        long began = nanoTime.getAsLong();
        return new JdbcLink.Source<>(access, connection -> new RowSession(connection, place, began)).connect(atMost);
    }
}
