package io.distributedid.internal.counter;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;

/**
 * A session on a database, which can look at several counters in one query, and change them in one transaction.
 *
 * @param <C> names a counter
 */
public interface TableSession<C extends CounterKey> extends CounterSession<C> {

    /** The connection, in autocommit mode, for questions about the server. */
    Connection connection();

    /** The record beside the table of an open counter. */
    RecordTable record(C counter) throws SQLException;

    @Override
    default Optional<Writability> readOnly() throws SQLException {
        return Writability.missing(connection());
    }

    @Override
    default Optional<TableSession<C>> tables() {
        return Optional.of(this);
    }
}
