package io.distributedid.internal.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverPropertyInfo;
import java.sql.SQLException;
import java.util.Properties;
import java.util.function.Predicate;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/** Remembers the properties that it was given, and refuses the connection. */
public final class RefusingDriver implements Driver {

    private final Predicate<String> accepted;

    private Properties given = new Properties();

    public RefusingDriver(Predicate<String> accepted) {
        this.accepted = accepted;
    }

    public Properties given() {
        return given;
    }

    @Override
    public @Nullable Connection connect(String url, Properties properties) throws SQLException {
        if (!acceptsURL(url)) {
            return null;
        }
        given = properties;
        throw new SQLException("refused");
    }

    @Override
    public boolean acceptsURL(String url) {
        return accepted.test(url);
    }

    @Override
    public DriverPropertyInfo[] getPropertyInfo(String url, Properties properties) {
        return new DriverPropertyInfo[0];
    }

    @Override
    public int getMajorVersion() {
        return 1;
    }

    @Override
    public int getMinorVersion() {
        return 0;
    }

    @Override
    public boolean jdbcCompliant() {
        return false;
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getGlobal();
    }
}
