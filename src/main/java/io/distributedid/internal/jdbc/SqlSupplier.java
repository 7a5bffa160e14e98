package io.distributedid.internal.jdbc;

import java.sql.SQLException;

/** Gets a value from a database; or the connection itself, for work that perhaps needs none. */
@FunctionalInterface
public interface SqlSupplier<T> {

    T get() throws SQLException;
}
