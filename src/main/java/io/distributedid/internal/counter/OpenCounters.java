package io.distributedid.internal.counter;

import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which counter on which servers a sequence has, for what a {@link io.distributedid.spi.Backend} is asked later. Thread-safe.
 *
 * @param <C> names a counter
 */
public final class OpenCounters<C> {

    private record Opened<C>(CounterServers<C> servers, C counter) {}

    private final Map<String, Opened<C>> bySequence = new ConcurrentHashMap<>();

    /** Knows of none. */
    public OpenCounters() {}

    /**
     * Opens a counter, see {@link CounterServers#open}.
     *
     * @param sequence that counts with it
     * @param servers that hold it
     * @param counter its name
     * @param start the least id wanted
     * @return reserves its ids
     */
    public BlockSource open(Sequence sequence, CounterServers<C> servers, C counter, long start) {
        BlockSource source = servers.open(counter, start);
        bySequence.put(sequence.name(), new Opened<>(servers, counter));
        return source;
    }

    /**
     * See {@link CounterServers#requireAbove}.
     *
     * @param sequence opened before
     * @param existing an id that exists
     * @param raise whether all servers are raised above it
     */
    public void requireAbove(Sequence sequence, long existing, boolean raise) {
        find(sequence).ifPresent(opened -> opened.servers.requireAbove(opened.counter, existing, raise));
    }

    /**
     * See {@link CounterServers#step}.
     *
     * @param sequence opened before
     * @return the distance between two ids of one server; 1 if it was not opened
     */
    public long step(Sequence sequence) {
        return find(sequence).map(opened -> opened.servers.step()).orElse(1L);
    }

    /**
     * See {@link CounterServers#last}.
     *
     * @param sequence opened before
     * @return the last id of each server that answers, by its label
     */
    public Map<String, Long> last(Sequence sequence) {
        return find(sequence).map(opened -> opened.servers.last(opened.counter)).orElse(Map.of());
    }

    private Optional<Opened<C>> find(Sequence sequence) {
        return Optional.ofNullable(bySequence.get(sequence.name()));
    }
}
