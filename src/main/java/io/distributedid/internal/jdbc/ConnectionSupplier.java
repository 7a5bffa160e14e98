package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.SQLException;

/** Gives a connection to work that perhaps needs none, so that it is obtained only if needed. */
@FunctionalInterface
public interface ConnectionSupplier {

    /** The same connection each time, as long as it is open. */
    Connection get() throws SQLException;
}
