package io.distributedid.backend.sequencetable;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import io.distributedid.SequenceStatistics;
import io.distributedid.internal.counter.CounterServers;
import io.distributedid.internal.counter.DriftLimit;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.counter.OpenCounters;
import io.distributedid.internal.counter.RaiseLimit;
import io.distributedid.internal.counter.SharedServers;
import io.distributedid.internal.jdbc.Servers;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The sequence table: {@code sequence(name, id)} with a row per sequence that holds the last id reserved. A block of n ids is
 * one UPDATE that adds n, see {@link MySqlSequenceTableDialect}; the row is created at the first use of a name. After Yupoo's
 * sharding, and Meituan's Leaf and Didi's TinyID, which take blocks from such a table.
 *
 * <p>The table is in the persistence unit's own database unless servers are set. N servers divide the numbers between them: rows
 * on server i start at i and count in steps of N. Who divides how is written into the {@link
 * io.distributedid.internal.counter.RecordTable} beside it, and a client that would divide otherwise is refused.
 *
 * <p>Blocks are reserved on threads of our own in transactions of their own: a rollback of the application's gives no id back.
 * On a clean stop the unused rest of the last block is handed back by compare-and-set.
 */
final class SequenceTableBackend implements Backend {

    private final BackendContext context;

    private final SharedServers<SequenceRow> shared = new SharedServers<>();

    /** Where the tables of a configuration lie, by the place of the server. */
    private final Map<Object, List<TablePins>> pins = new ConcurrentHashMap<>();

    private final OpenCounters<SequenceRow> counters = new OpenCounters<>();

    SequenceTableBackend(BackendContext context) {
        this.context = context;
        context.former().map(SequenceTableBackend.class::cast).ifPresent(former -> {
            shared.learn(former.shared);
            pins.putAll(former.pins);
        });
    }

    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        SequenceRow row = new SequenceRow(table(settings), sequence.name());
        long start = settings.number(DistributedIdSettings.SEQUENCE_TABLE_START, 1, 1, Long.MAX_VALUE / 2);
        return context.buffer(sequence, counters.open(sequence, servers(settings), row, start));
    }

    private String table(Settings settings) {
        String table = SequenceTableSchema.tableName(settings);
        boolean own =
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_SERVERS).isEmpty();
        return own && table.indexOf('.') < 0
                ? context.ownDatabase()
                        .flatMap(ConnectionAccess::namespace)
                        .map(namespace -> namespace + "." + table)
                        .orElse(table)
                : table;
    }

    private static DriftLimit distance(Settings settings) {
        return DriftLimit.of(
                settings,
                DistributedIdSettings.SEQUENCE_TABLE_MAX_DISTANCE,
                DistributedIdSettings.SEQUENCE_TABLE_BEHIND,
                DistributedIdSettings.SEQUENCE_TABLE_FAILOVER);
    }

    private CounterServers<SequenceRow> servers(Settings settings) {
        Duration timeout = settings.duration(
                DistributedIdSettings.SEQUENCE_TABLE_TIMEOUT,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ofMinutes(1));
        DriftLimit distance = distance(settings);
        boolean createTable = settings.flag(DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE, false);
        List<Object> configuration = List.of(
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_SERVERS),
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_USER),
                settings.object(DistributedIdSettings.SEQUENCE_TABLE_PASSWORD),
                timeout,
                distance,
                createTable);
        return shared.of(configuration, () -> {
            List<ConnectionAccess> accesses = accesses(settings, timeout);
            List<TablePins> pinned = pins.computeIfAbsent(
                    configuration,
                    key -> accesses.stream().map(access -> new TablePins()).toList());
            return new CounterServers<>(
                    accesses,
                    timeout,
                    distance,
                    (connection, place) -> new SequenceTableSession(
                            connection,
                            accesses.get(place).label(),
                            new Numbering(accesses.size(), place + 1L),
                            createTable,
                            pinned.get(place)));
        });
    }

    private List<ConnectionAccess> accesses(Settings settings, Duration timeout) {
        List<ConnectionAccess> servers = SequenceTableSchema.servers(settings, timeout);
        if (!servers.isEmpty()) {
            return servers;
        }
        return List.of(context.ownDatabase()
                .orElseThrow(() -> new IdConfigurationException("A setting is missing: "
                        + DistributedIdSettings.SEQUENCE_TABLE_SERVERS + ", allowed: " + Servers.ALLOWED
                        + ". Without Hibernate, or with a tenant in every connection, there is no database of our own to hold the"
                        + " sequence table")));
    }

    @Override
    public List<Finding> check(Sequence sequence) {
        return servers(sequence.settings()).check(new SequenceRow(table(sequence.settings()), sequence.name()));
    }

    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        RaiseLimit.check(sequence, existing, raise, step(sequence), Long.MAX_VALUE);
        counters.requireAbove(sequence, existing, raise);
    }

    @Override
    public long step(Sequence sequence) {
        return counters.step(sequence);
    }

    @Override
    public long maxDistance(Sequence sequence) {
        return distance(sequence.settings()).max();
    }

    @Override
    public Map<String, Long> repair(Sequence sequence, long above) {
        CounterServers<SequenceRow> servers = servers(sequence.settings());
        return servers.repair(
                new SequenceRow(table(sequence.settings()), sequence.name()),
                above,
                target -> RaiseLimit.check(sequence, List.of(target), true, servers.step(), Long.MAX_VALUE));
    }

    @Override
    public Map<String, Long> retire(Sequence sequence) {
        return servers(sequence.settings()).retire(new SequenceRow(table(sequence.settings()), sequence.name()));
    }

    @Override
    public Optional<String> token(Sequence sequence) {
        return counters.token(sequence);
    }

    @Override
    public void remember(Sequence sequence, Connection connection, Optional<String> namespace, String label)
            throws SQLException {
        counters.remember(sequence, connection, namespace, label);
    }

    @Override
    public void adopt(Sequence sequence, Connection connection, Optional<String> namespace) throws SQLException {
        counters.adopt(sequence, connection, namespace);
    }

    @Override
    public Map<String, Long> counters(Sequence sequence) {
        return counters.last(sequence);
    }

    @Override
    public Optional<SequenceStatistics> statistics(Sequence sequence) {
        return counters.statistics(sequence);
    }

    /** The id is a plain count: it has no fields. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return new DecodedId(id, null, Map.of());
    }

    @Override
    public void stopWaiting() {
        shared.stop();
    }

    @Override
    public void cut() {
        shared.cut();
    }

    @Override
    public void abandon() {
        shared.abandon();
    }

    @Override
    public void close() {
        shared.close();
    }
}
