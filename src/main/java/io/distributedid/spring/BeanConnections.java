package io.distributedid.spring;

import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections of a DataSource bean.
 *
 * @param label the bean's name, so that messages and meters have the name that the application uses
 */
record BeanConnections(DataSource dataSource, String label) implements ConnectionAccess {

    @Override
    public Connection obtain() throws SQLException {
        return dataSource.getConnection();
    }

    /** Without the DataSource, which may print its URL with a password. */
    @Override
    public String toString() {
        return label;
    }
}
