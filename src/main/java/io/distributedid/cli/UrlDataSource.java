package io.distributedid.cli;

import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.PlainDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A DataSource for a server with a URL. */
final class UrlDataSource extends PlainDataSource {

    /** Long: an operator rather waits than repeats a command, since a machine may be busy while it starts. */
    static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final @Nullable JdbcUrl url;

    private final String label;

    private UrlDataSource(@Nullable JdbcUrl url, String label) {
        this.url = url;
        this.label = label;
    }

    static UrlDataSource of(JdbcUrl url) {
        return new UrlDataSource(url, url.label());
    }

    /** A server that is never connected to. */
    static UrlDataSource lost(String label) {
        return new UrlDataSource(null, label);
    }

    @Override
    public Connection getConnection() throws SQLException {
        if (url == null) {
            throw new SQLException("The server is lost: " + label);
        }
        try {
            return JdbcLink.borrow(url, TIMEOUT, TIMEOUT).connection();
        } catch (SQLException e) {
            throw new SQLException(label + " said: " + FailureText.of(e), e.getSQLState(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SQLException("Interrupted while connecting: " + label, e);
        }
    }

    /** Omits the password. */
    @Override
    public String toString() {
        return label;
    }
}
