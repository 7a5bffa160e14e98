package io.distributedid.internal.counter;

import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Counters in databases. Implementations are immutable and thread-safe.
 *
 * @param <C> names a counter
 */
public interface DatabaseStore<C extends CounterKey> extends CounterStore<C> {

    /** Opens sessions on the servers of one configuration. Thread-safe. */
    @FunctionalInterface
    interface Opener<C extends CounterKey> {

        /**
         * Checks a new connection and opens a session on it. {@code place} is that of the server, from 0.
         *
         * @param connection in autocommit mode; must not be closed
         * @throws io.distributedid.IdConfigurationException if the server must not be used
         */
        CounterSession<C> open(Connection connection, int place) throws SQLException;
    }

    /**
     * The servers if the settings name none; at least one.
     *
     * @throws io.distributedid.IdConfigurationException if there is none
     */
    List<ConnectionAccess> serversIfUnset(Settings settings);

    /**
     * Called once for each configuration. The opener, and what it keeps, lives as long as the process.
     *
     * @param labels of the servers, in their order
     * @param createTable whether missing tables are created
     */
    Opener<C> opener(Settings settings, List<String> labels, boolean createTable);

    @Override
    default Connector<C> connector(Settings settings, Optional<Connector<C>> former, boolean createTable) {
        List<ConnectionAccess> found = settings().servers(settings);
        List<ConnectionAccess> accesses = found.isEmpty() ? serversIfUnset(settings) : found;
        return new DatabaseConnector<>(
                accesses,
                former.map(each -> ((DatabaseConnector<C>) each).opener())
                        .orElseGet(() -> opener(
                                settings,
                                accesses.stream().map(ConnectionAccess::label).toList(),
                                createTable)));
    }

    /**
     * Opens sessions on the servers of one configuration.
     *
     * @param accesses to the servers, in their order
     * @param opener keeps its facts of the servers over suspensions
     * @param <C> names a counter
     */
    record DatabaseConnector<C extends CounterKey>(List<ConnectionAccess> accesses, Opener<C> opener)
            implements Connector<C> {

        @Override
        public List<Link.Source<CounterSession<C>>> servers() {
            List<Link.Source<CounterSession<C>>> servers = new ArrayList<>();
            for (ConnectionAccess access : accesses) {
                int place = servers.size();
                servers.add(new JdbcLink.Source<>(access, connection -> opener.open(connection, place)));
            }
            return servers;
        }
    }
}
