package io.distributedid.internal.counter;

import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which counter on which servers a sequence has, for what a {@link io.distributedid.spi.Backend} is asked later. Thread-safe.
 *
 * @param <C> names a counter
 */
public final class OpenCounters<C extends CounterKey> {

    private final Map<String, CounterSource<C>> bySequence = new ConcurrentHashMap<>();

    /** Knows of none. */
    public OpenCounters() {}

    /**
     * Checks a counter on every server that answers. The others are checked when they do.
     *
     * @param sequence that counts with it
     * @param servers that hold it
     * @param counter its name
     * @param start the least id wanted
     * @return reserves its ids
     */
    public BlockSource open(Sequence sequence, CounterServers<C> servers, C counter, long start) {
        CounterSource<C> source = servers.open(counter, start, sequence.name());
        bySequence.put(sequence.name(), source);
        return source;
    }

    /**
     * See {@link io.distributedid.spi.Backend#requireAbove}.
     *
     * @param sequence opened before
     * @param existing ids that exist
     * @param raise whether all servers are raised above it
     */
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        find(sequence).ifPresent(source -> source.servers().requireAbove(source, existing, raise));
    }

    /**
     * See {@link CounterServers#step}.
     *
     * @param sequence opened before
     * @return the distance between two ids of one server; 1 if it was not opened
     */
    public long step(Sequence sequence) {
        return find(sequence).map(source -> source.servers().step()).orElse(1L);
    }

    /**
     * See {@link io.distributedid.spi.Backend#counters}.
     *
     * @param sequence opened before
     * @return the last id of each server that answers, by its label
     */
    public Map<String, Long> last(Sequence sequence) {
        return find(sequence).map(source -> source.servers().last(source)).orElse(Map.of());
    }

    /**
     * What is known of the servers of a sequence. Asks nobody.
     *
     * @param sequence opened before
     * @return as {@link io.distributedid.spi.Backend#statistics} wants it
     */
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return find(sequence).map(source -> SequenceStatistics.NONE.withServers(source.statistics()));
    }

    /**
     * See {@link io.distributedid.spi.Backend#token}.
     *
     * @param sequence opened before
     * @return empty if no server keeps a record
     */
    public Optional<String> token(Sequence sequence) {
        return find(sequence).flatMap(source -> source.servers().token(source));
    }

    /**
     * See {@link io.distributedid.spi.Backend#adopt}.
     *
     * @param sequence opened before
     * @param connection to the database of the entities
     * @param namespace of its tables
     * @throws SQLException if that database failed
     */
    public void adopt(Sequence sequence, Connection connection, Optional<String> namespace) throws SQLException {
        String token = token(sequence)
                .orElseThrow(() -> new IdConfigurationException(
                        "No server keeps a record of the id space, so that there is nothing to remember: seq="
                                + sequence.name()
                                + ". Create the table " + RecordTable.NAME
                                + " beside the counters, see: distributedid check"));
        SequenceTokens.require(connection, namespace).put(sequence.name(), token);
    }

    /**
     * See {@link io.distributedid.spi.Backend#remember}.
     *
     * @param sequence opened before
     * @param connection to the database of the entities
     * @param namespace of its tables
     * @param label names that database in messages
     * @throws SQLException if that database failed
     */
    public void remember(Sequence sequence, Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        IdSpaceCheck.check(Set.of(sequence.name()), connection, namespace, label, name -> token(sequence));
    }

    private Optional<CounterSource<C>> find(Sequence sequence) {
        return Optional.ofNullable(bySequence.get(sequence.name()));
    }
}
