package io.distributedid.internal.counter;

import io.distributedid.DecodedId;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Where a {@link CountingBackend} keeps its counters. Implementations are immutable and thread-safe.
 *
 * @param <C> names a counter
 */
public interface CounterStore<C extends CounterKey> {

    /** Opens sessions on the servers of one configuration. Thread-safe. */
    @FunctionalInterface
    interface Connector<C extends CounterKey> {

        /**
         * Checks a new connection and opens a session on it. {@code place} is that of the server, from 0.
         *
         * @param connection in autocommit mode; must not be closed
         * @throws io.distributedid.IdConfigurationException if the server must not be used
         */
        CounterSession<C> open(Connection connection, int place) throws SQLException;
    }

    /** The declarations of the settings that all stores have. */
    CountingSettings settings();

    /**
     * The values of this store's own settings that decide how its servers are used. Sequences with equal values share
     * servers.
     */
    default List<Object> furtherConfiguration(Settings settings) {
        return List.of();
    }

    /** Where a sequence is counted. */
    C key(Settings settings, String sequence);

    /** The least id wanted. A counter below it is raised. */
    default long start(Settings settings) {
        return 1;
    }

    /** The largest id that a counter holds. */
    default long largest(C key) {
        return Long.MAX_VALUE;
    }

    /**
     * The servers if the settings name none; at least one.
     *
     * @throws io.distributedid.IdConfigurationException if there is none
     */
    List<ConnectionAccess> serversIfUnset(Settings settings);

    /**
     * Called once for each configuration. The connector, and what it keeps, lives as long as the process.
     *
     * @param labels of the servers, in their order
     * @param createTable whether missing tables are created
     */
    Connector<C> connector(Settings settings, List<String> labels, boolean createTable);

    /** The fields of an id, which may be any number. {@code step} is the distance between two ids of one server. */
    DecodedId decode(long id, long step);
}
