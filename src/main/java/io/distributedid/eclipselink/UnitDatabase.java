package io.distributedid.eclipselink;

import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import org.eclipse.persistence.exceptions.DatabaseException;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;
import org.eclipse.persistence.sessions.DatasourceLogin;
import org.eclipse.persistence.sessions.server.ServerSession;

/**
 * Connections to the persistence unit's own database, made as EclipseLink makes those of its pools, but beside them: an
 * exhausted pool can't block ids. If the unit names a DataSource, they come from there, and one is kept; with JTA, from
 * the one that is not for JTA, if there is one. The library asks on its own threads, which have no transaction.
 */
record UnitDatabase(DatabaseSessionImpl session) implements ConnectionAccess {

    @Override
    public Connection obtain() throws SQLException {
        try {
            return (Connection) login().connectToDatasource(null, session);
        } catch (DatabaseException e) {
            throw e.getInternalException() instanceof SQLException cause
                    ? cause
                    : new SQLException("EclipseLink provides no connection: " + e.getMessage(), e);
        }
    }

    private DatasourceLogin login() {
        return session instanceof ServerSession server
                ? (DatasourceLogin) server.getReadConnectionPool().getLogin()
                : (DatasourceLogin) session.getDatasourceLogin();
    }

    @Override
    public String label() {
        return "the persistence unit's own database";
    }
}
