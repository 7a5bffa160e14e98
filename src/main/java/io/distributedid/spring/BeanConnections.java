package io.distributedid.spring;

import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import javax.sql.DataSource;

/**
 * Connections of a DataSource bean.
 *
 * @param label the bean's name, which the application knows, for messages and meters
 */
record BeanConnections(DataSource dataSource, String label) implements ConnectionAccess {

    @Override
    public Connection obtain() throws SQLException {
        return dataSource.getConnection();
    }

    /** Omits the DataSource, whose text may have a URL with a password. */
    @Override
    public String toString() {
        return label;
    }
}
