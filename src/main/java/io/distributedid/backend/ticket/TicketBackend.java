package io.distributedid.backend.ticket;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.Finding;
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
 * Flickr's ticket servers: N MySQL servers with {@code auto_increment_increment = N} and offsets 1 to N, each with a table
 * whose one row is replaced to draw a number. We draw a block of numbers in one transaction, see {@link InnoDbTickets}.
 *
 * <p>After <em>Ticket Servers: Distributed Unique Primary Keys on the Cheap</em>, code.flickr.net, 2010. Sequences share a
 * table unless {@link DistributedIdSettings#TICKET_TABLE} is set for them, and share the connections if they have the same
 * servers.
 */
final class TicketBackend implements Backend {

    private static final String NO_SERVERS = "The ticket backend needs servers to take tickets from";

    private final BackendContext context;

    private final SharedServers<TicketTable> shared = new SharedServers<>();

    private final OpenCounters<TicketTable> counters = new OpenCounters<>();

    /** What the servers of a configuration said of themselves. */
    private final Map<Object, NumberingCheck> checks = new ConcurrentHashMap<>();

    TicketBackend(BackendContext context) {
        this.context = context;
        context.former().map(TicketBackend.class::cast).ifPresent(former -> {
            shared.learn(former.shared);
            checks.putAll(former.checks);
        });
    }

    @Override
    public IdSource open(Sequence sequence) {
        Settings settings = sequence.settings();
        TicketTable table = TicketTable.of(settings);
        return context.buffer(sequence, counters.open(sequence, servers(settings), table, 1));
    }

    private static DriftLimit distance(Settings settings) {
        return DriftLimit.of(
                settings,
                DistributedIdSettings.TICKET_MAX_DISTANCE,
                DistributedIdSettings.TICKET_BEHIND,
                DistributedIdSettings.TICKET_FAILOVER);
    }

    private CounterServers<TicketTable> servers(Settings settings) {
        Duration timeout = settings.duration(
                DistributedIdSettings.TICKET_TIMEOUT,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ofMinutes(1));
        DriftLimit distance = distance(settings);
        TicketNumbering numbering = settings.choice(DistributedIdSettings.TICKET_NUMBERING, TicketNumbering.SERVER);
        boolean createTable = settings.flag(DistributedIdSettings.TICKET_CREATE_TABLE, false);
        List<Object> configuration = List.of(
                settings.object(DistributedIdSettings.TICKET_SERVERS),
                settings.object(DistributedIdSettings.TICKET_USER),
                settings.object(DistributedIdSettings.TICKET_PASSWORD),
                timeout,
                distance,
                numbering,
                createTable);
        return shared.of(configuration, () -> {
            List<ConnectionAccess> found = Servers.find(
                    settings,
                    DistributedIdSettings.TICKET_SERVERS,
                    DistributedIdSettings.TICKET_USER,
                    DistributedIdSettings.TICKET_PASSWORD,
                    timeout);
            if (found.isEmpty()) {
                settings.required(DistributedIdSettings.TICKET_SERVERS, Servers.ALLOWED, NO_SERVERS);
            }
            NumberingCheck check = checks.computeIfAbsent(configuration, key -> check(found));
            return connect(found, check, timeout, distance, numbering, createTable);
        });
    }

    private static NumberingCheck check(List<ConnectionAccess> servers) {
        return new NumberingCheck(servers.stream().map(ConnectionAccess::label).toList());
    }

    private static CounterServers<TicketTable> connect(
            List<ConnectionAccess> servers,
            NumberingCheck check,
            Duration timeout,
            DriftLimit distance,
            TicketNumbering numbering,
            boolean createTable) {
        return new CounterServers<>(servers, timeout, distance, (connection, place) -> {
            Optional<Numbering> byClient = numbering == TicketNumbering.CLIENT
                    ? Optional.of(new Numbering(servers.size(), place + 1L))
                    : Optional.empty();
            TicketSession session =
                    new TicketSession(connection, servers.get(place).label(), byClient, createTable);
            check.accept(place, session.place(), session.numbering());
            return session;
        });
    }

    @Override
    public List<Finding> check(Sequence sequence) {
        return servers(sequence.settings()).check(TicketTable.of(sequence.settings()));
    }

    @Override
    public void requireAbove(Sequence sequence, Collection<Long> existing, boolean raise) {
        RaiseLimit.check(
                sequence,
                existing,
                raise,
                step(sequence),
                TicketTable.of(sequence.settings()).largest());
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
        CounterServers<TicketTable> servers = servers(sequence.settings());
        TicketTable table = TicketTable.of(sequence.settings());
        return servers.repair(
                table,
                above,
                target -> RaiseLimit.check(sequence, List.of(target), true, servers.step(), table.largest()));
    }

    @Override
    public Map<String, Long> retire(Sequence sequence) {
        return servers(sequence.settings()).retire(TicketTable.of(sequence.settings()));
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

    /** The field {@code server} is the offset of the server that gave the id. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        return new DecodedId(id, null, Map.of("server", Math.floorMod(id - 1, step(sequence)) + 1));
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
