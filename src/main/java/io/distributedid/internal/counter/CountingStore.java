package io.distributedid.internal.counter;

import io.distributedid.DecodedId;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;

/** Where a {@link CountingBackend} keeps its counters. Implementations are immutable and thread-safe. */
public interface CountingStore {

    /** The declarations of the settings that all stores have. */
    CountingSettings settings();

    /** Where a sequence is counted. */
    CounterKey key(Settings settings, String sequence);

    /** The least id wanted. A counter below it is raised. */
    default long start(Settings settings) {
        return 1;
    }

    /** What else decides how servers are used. Sequences with equal values share their servers. */
    default List<Object> furtherConfiguration(Settings settings) {
        return List.of();
    }

    /** The largest id that a counter may hold by the settings; its column may end earlier. */
    default long largest(Settings settings) {
        return Long.MAX_VALUE;
    }

    /**
     * Called once for each configuration. Does not connect to any server.
     *
     * @return in the order of the servers, at least one. Opening a session checks the server
     * @throws io.distributedid.IdConfigurationException if there is no server
     */
    List<? extends Link.Source<CounterSession>> servers(Settings settings);

    /**
     * The fields of an id, which may be any number. By default it has none.
     *
     * @param step the distance between two ids of one server
     */
    default DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of());
    }
}
