package io.distributedid.internal.counter;

import io.distributedid.DecodedId;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/**
 * Where a {@link CountingBackend} keeps its counters. Implementations are thread-safe, and keep nothing but what they
 * were made with.
 *
 * @param <C> names a counter
 */
public interface CounterStore<C extends CounterKey> {

    /**
     * Opens sessions on the servers of one configuration.
     *
     * @param <C> names a counter
     */
    @FunctionalInterface
    interface Connector<C extends CounterKey> {

        /**
         * Checks a new connection.
         *
         * @param connection in autocommit mode; not to be closed
         * @param place of the server, from 0
         * @return counts on it
         * @throws SQLException if the server failed
         * @throws io.distributedid.IdConfigurationException if the server must not be used
         */
        CounterSession<C> open(Connection connection, int place) throws SQLException;
    }

    /**
     * The settings that all stores have.
     *
     * @return their declarations
     */
    CountingSettings settings();

    /**
     * The settings of this store alone that decide how its servers are used.
     *
     * @param settings of a sequence
     * @return their values, which have equality
     */
    default List<Object> furtherConfiguration(Settings settings) {
        return List.of();
    }

    /**
     * Names the counter of a sequence.
     *
     * @param settings of the sequence
     * @param sequence its name
     * @return where it is counted
     */
    C key(Settings settings, String sequence);

    /**
     * The least id wanted.
     *
     * @param settings of a sequence
     * @return a counter that lies below is raised
     */
    default long start(Settings settings) {
        return 1;
    }

    /**
     * The largest id that a counter holds.
     *
     * @param key of the counter
     * @return no larger one can be given
     */
    default long largest(C key) {
        return Long.MAX_VALUE;
    }

    /**
     * The servers where the settings name none.
     *
     * @param settings of a sequence
     * @return at least one
     * @throws io.distributedid.IdConfigurationException if there is none
     */
    List<ConnectionAccess> serversIfUnset(Settings settings);

    /**
     * Makes what opens sessions. Asked once for each configuration: what the connector keeps is kept as long as the
     * process runs.
     *
     * @param settings of a sequence
     * @param labels of the servers, in their order
     * @param createTable whether tables that are missing are created
     * @return thread-safe
     */
    Connector<C> connector(Settings settings, List<String> labels, boolean createTable);

    /**
     * What an id tells.
     *
     * @param id any number
     * @param step the distance between two ids of one server
     * @return its fields
     */
    DecodedId decode(long id, long step);
}
