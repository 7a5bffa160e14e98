package io.distributedid.internal.registry;

import io.distributedid.CapacityStatistics;
import io.distributedid.CounterMove;
import io.distributedid.DecodedId;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.block.BlockBuffer;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.spi.Backend;
import io.distributedid.spi.ComposedIds;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.IdTime;
import io.distributedid.spi.LargestIds;
import io.distributedid.spi.Maintenance;
import io.distributedid.spi.Sequence;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * One sequence with its backend and its source in one {@link Period}. {@link SequenceRegistry#configured} returns it
 * without a source, for the calls of {@link Backend} that don't need an open sequence. Immutable.
 */
public final class OpenSequence {

    private final Sequence sequence;

    private final Backend backend;

    private final @Nullable IdSource source;

    private final InstantSource clock;

    OpenSequence(Sequence sequence, Backend backend, @Nullable IdSource source, InstantSource clock) {
        this.sequence = sequence;
        this.backend = backend;
        this.source = source;
        this.clock = clock;
    }

    Sequence sequence() {
        return sequence;
    }

    /** Asks the place that its ids come from. */
    public <T> T ask(BiFunction<Maintenance, Sequence, T> question) {
        return question.apply(maintenance(), sequence);
    }

    IdSource source() {
        return Objects.requireNonNull(source);
    }

    /** Empty if the sequence reserves no blocks or is not open. */
    Optional<BlockBuffer> buffer() {
        return source instanceof BlockBuffer buffer ? Optional.of(buffer) : Optional.empty();
    }

    private Maintenance maintenance() {
        return Maintenance.of(backend);
    }

    private ComposedIds fields() {
        return ComposedIds.of(backend);
    }

    boolean holdsTime() {
        return fields().time(sequence).isPresent();
    }

    public DecodedId decode(long id) {
        return backend.decode(sequence, id);
    }

    /** Like {@link ComposedIds#time}; throws if the ids hold no time. */
    public IdTime time() {
        return fields().time(sequence)
                .orElseThrow(() -> new IdConfigurationException("The ids of a sequence must hold the time: seq="
                        + sequence.name() + ", allowed: sequences whose distributedid.backend is snowflake"));
    }

    /** Like {@link ComposedIds#shard}; throws if the ids carry no shard. */
    public IdShard shard() {
        return fields().shard(sequence)
                .orElseThrow(() ->
                        new IdConfigurationException("The ids of a sequence must carry a shard: seq=" + sequence.name()
                                + ", allowed: sequences whose layout has that field ("
                                + "distributedid.snowflake.layout=sharded)"));
    }

    /** The statistics of the buffer and the backend. Asks no server. */
    public Optional<SequenceStatistics> statistics() {
        Optional<SequenceStatistics> known = backend.statistics(sequence);
        Optional<SequenceStatistics> all = source instanceof BlockBuffer buffer
                ? Optional.of(buffer.statistics()
                        .withServers(known.map(SequenceStatistics::servers).orElse(List.of()))
                        .withCapacity(known.flatMap(SequenceStatistics::capacity)))
                : known;
        return all.map(this::withTimeLeft);
    }

    /** The statistics by which health is judged: at least the capacity, also if the backend keeps no statistics. */
    SequenceStatistics judged() {
        return statistics().orElseGet(() -> withTimeLeft(SequenceStatistics.NONE));
    }

    private SequenceStatistics withTimeLeft(SequenceStatistics statistics) {
        Optional<IdTime> time = fields().time(sequence);
        return time.isEmpty()
                ? statistics
                : statistics.withCapacity(
                        time.map(each -> CapacityStatistics.ofTime(each.maxId(), each.end(), clock.instant())));
    }

    /** Like {@link Maintenance#requireAbove}. After a raise, drops the buffer's blocks, which lie below the counter. */
    public void requireAbove(long existing, boolean raise) {
        maintenance().requireAbove(sequence, List.of(holdsTime() ? existing : Math.max(0, existing)), raise);
        if (raise) {
            buffer().ifPresent(BlockBuffer::discard);
        }
    }

    /** Checks that new ids lie above the existing ones; throws if a counter or the clock is below them. */
    public void requireAbove(LargestIds largest) throws SQLException {
        List<Long> existing = holdsTime()
                ? largest.read(1, 0)
                : largest.read(maintenance().step(sequence), maintenance().maxDistance(sequence)).stream()
                        .filter(id -> id > 0)
                        .toList();
        if (!existing.isEmpty()) {
            maintenance().requireAbove(sequence, existing, false);
        }
    }

    /** Makes sure that its ids lie above those in a column; see {@link #requireAbove(LargestIds)}. */
    public void requireAbove(Connection connection, String table, String column) throws SQLException {
        requireAbove((step, distance) -> ExistingIds.maxOfEachRemainder(connection, table, column, step, distance));
    }

    /** Throws if its counter, which is not open yet, could not go on above an id. Only counters can tell. */
    void requireRoom(OpenSequence before, long above) {
        if (source == null && backend.getClass() == before.backend.getClass()) {
            maintenance().requireAbove(sequence, List.of(above), true);
        }
    }

    /** Of the same kind of backend. */
    long move(List<Sequence> from, CounterMove move) {
        return maintenance().move(from.isEmpty() ? List.of(sequence) : from, sequence, move);
    }
}
