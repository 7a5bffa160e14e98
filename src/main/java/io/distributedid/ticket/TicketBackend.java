package io.distributedid.ticket;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.Servers;
import io.distributedid.internal.TableName;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdSource;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Settings;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Flickr's ticket servers: N MySQL servers with {@code auto_increment_increment = N} and offsets 1 to N, each with a table
 * whose one row is replaced to draw a number. We draw a block of numbers with one REPLACE, see {@link MySqlTicketDialect}.
 *
 * <p>After <em>Ticket Servers: Distributed Unique Primary Keys on the Cheap</em>, code.flickr.net, 2010. Sequences share a
 * table unless {@link DistributedIdSettings#TICKET_TABLE} is set for them, and share the connections if they have the same
 * servers.
 */
final class TicketBackend implements Backend {

    private static final String NO_SERVERS = "The ticket backend needs servers to take tickets from";

    private final BackendContext context;

    private final Map<Object, TicketServers> byConfiguration = new ConcurrentHashMap<>();

    private final Map<String, TicketServers> bySequence = new ConcurrentHashMap<>();

    TicketBackend(BackendContext context) {
        this.context = context;
    }

    @Override
    public IdSource open(Sequence sequence) {
        String table = table(sequence.settings());
        TicketServers servers = servers(sequence.settings());
        IdSource source = context.buffer(sequence, servers.open(table));
        bySequence.put(sequence.name(), servers);
        return source;
    }

    static String table(Settings settings) {
        return TableName.of(settings, DistributedIdSettings.TICKET_TABLE, "Tickets64");
    }

    private TicketServers servers(Settings settings) {
        Duration timeout = settings.duration(
                DistributedIdSettings.TICKET_TIMEOUT,
                Duration.ofSeconds(2),
                Duration.ofMillis(100),
                Duration.ofMinutes(1));
        TicketNumbering numbering = settings.choice(DistributedIdSettings.TICKET_NUMBERING, TicketNumbering.SERVER);
        boolean createTable = settings.flag(DistributedIdSettings.TICKET_CREATE_TABLE, false);
        List<Object> configuration = List.of(
                settings.object(DistributedIdSettings.TICKET_SERVERS),
                settings.object(DistributedIdSettings.TICKET_USER),
                settings.object(DistributedIdSettings.TICKET_PASSWORD),
                timeout,
                numbering,
                createTable);
        return byConfiguration.computeIfAbsent(configuration, key -> {
            List<ConnectionAccess> found = Servers.find(
                    settings,
                    DistributedIdSettings.TICKET_SERVERS,
                    DistributedIdSettings.TICKET_USER,
                    DistributedIdSettings.TICKET_PASSWORD,
                    timeout);
            if (found.isEmpty()) {
                settings.required(DistributedIdSettings.TICKET_SERVERS, Servers.ALLOWED, NO_SERVERS);
            }
            return new TicketServers(found, timeout, numbering, createTable);
        });
    }

    @Override
    public void requireAbove(Sequence sequence, long existing, boolean raise) {
        TicketServers servers = bySequence.get(sequence.name());
        // The servers drift apart: a counter below the largest id may well be right, and can be raised but not refused.
        if (servers != null && raise) {
            servers.requireAbove(table(sequence.settings()), existing, raise);
        }
    }

    /** The field {@code server} is the offset of the server that gave the id. */
    @Override
    public DecodedId decode(Sequence sequence, long id) {
        TicketServers servers = bySequence.get(sequence.name());
        long increment = servers == null ? 1 : servers.increment();
        return new DecodedId(id, null, Map.of("server", Math.floorMod(id - 1, increment) + 1));
    }

    @Override
    public void close() {
        byConfiguration.values().forEach(TicketServers::close);
    }
}
