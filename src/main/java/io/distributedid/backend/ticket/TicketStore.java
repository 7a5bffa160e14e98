package io.distributedid.backend.ticket;

import io.distributedid.DecodedId;
import io.distributedid.internal.counter.CounterKey;
import io.distributedid.internal.counter.CounterSession;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.CountingStore;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.internal.jdbc.JdbcLink;
import io.distributedid.internal.jdbc.Link;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Flickr's ticket servers: N MySQL servers with one {@code auto_increment_increment}, at least N, and different
 * offsets. Each has a table with one row, which clients replace to draw a number. We draw a block of numbers in one
 * transaction, see {@link MySqlTicketDraws}.
 *
 * <p>After <em>Ticket Servers: Distributed Unique Primary Keys on the Cheap</em>, code.flickr.net, 2010. Sequences
 * share a table unless {@code distributedid.ticket.table} is set for them. Sequences with the same servers share the
 * connections.
 */
final class TicketStore implements CountingStore {

    @Override
    public CountingSettings settings() {
        return TicketSettings.COUNTING;
    }

    @Override
    public List<Object> furtherConfiguration(Settings settings) {
        return List.of(
                settings.get(TicketSettings.NUMBERING),
                settings.find(TicketSettings.INCREMENT),
                settings.get(TicketSettings.STYLE),
                settings.get(TicketSettings.BITS));
    }

    @Override
    public CounterKey key(Settings settings, String sequence) {
        return new CounterKey(TicketTable.of(settings).name(), "", "SEQ");
    }

    @Override
    public long largest(Settings settings) {
        return TicketTable.of(settings).largest();
    }

    @Override
    public List<? extends Link.Source<CounterSession>> servers(Settings settings) {
        List<ConnectionAccess> accesses = settings().servers(settings);
        if (accesses.isEmpty()) {
            throw settings.missing(settings().servers(), "The ticket backend needs servers to take tickets from");
        }
        TicketTable kind = TicketTable.of(settings);
        boolean createTables = settings.get(CoreSettings.CREATE_TABLES);
        OptionalLong increment = TicketSettings.incrementOfClients(settings, accesses.size());
        List<JdbcLink.Source<CounterSession>> servers = new ArrayList<>();
        for (ConnectionAccess access : accesses) {
            long offset = servers.size() + 1L;
            Optional<Numbering> numbering = increment.isPresent()
                    ? Optional.of(new Numbering(increment.getAsLong(), offset))
                    : Optional.empty();
            servers.add(new JdbcLink.Source<>(
                    access,
                    connection -> new TicketSession(connection, access.label(), numbering, kind, createTables)));
        }
        return servers;
    }

    /** The field {@code server} is the offset of the server that gave the id. */
    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of("server", Math.floorMod(id - 1, step) + 1));
    }
}
