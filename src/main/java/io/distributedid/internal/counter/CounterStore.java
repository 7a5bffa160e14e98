package io.distributedid.internal.counter;

import io.distributedid.DecodedId;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Optional;

/**
 * Where a {@link CountingBackend} keeps its counters. Implementations are immutable and thread-safe.
 *
 * @param <C> names a counter
 */
public interface CounterStore<C extends CounterKey> {

    /** Connects to the servers of one configuration. Thread-safe. */
    interface Connector<C extends CounterKey> {

        /** In the order of the servers, at least one. Opening a session checks the server. */
        List<Link.Source<CounterSession<C>>> servers();
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
     * Called once for each configuration, and again after a suspension. Does not connect to any server.
     *
     * @param former of the same configuration before the suspension
     * @param createTable whether missing tables are created
     * @throws io.distributedid.IdConfigurationException if there is no server
     */
    Connector<C> connector(Settings settings, Optional<Connector<C>> former, boolean createTable);

    /** The fields of an id, which may be any number. {@code step} is the distance between two ids of one server. */
    DecodedId decode(long id, long step);
}
