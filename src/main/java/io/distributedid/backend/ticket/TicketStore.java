package io.distributedid.backend.ticket;

import io.distributedid.DecodedId;
import io.distributedid.internal.counter.CountingSettings;
import io.distributedid.internal.counter.DatabaseStore;
import io.distributedid.internal.counter.Numbering;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Flickr's ticket servers: N MySQL servers with one {@code auto_increment_increment}, at least N, and different
 * offsets. Each has a table with one row, which clients replace to draw a number. We draw a block of numbers in one
 * transaction, see {@link InnoDbTickets}.
 *
 * <p>After <em>Ticket Servers: Distributed Unique Primary Keys on the Cheap</em>, code.flickr.net, 2010. Sequences
 * share a table unless {@code distributedid.ticket.table} is set for them. Sequences with the same servers share the
 * connections.
 */
final class TicketStore implements DatabaseStore<TicketTable> {

    private static final String NO_SERVERS = "The ticket backend needs servers to take tickets from";

    @Override
    public CountingSettings settings() {
        return TicketSettings.COUNTING;
    }

    @Override
    public List<Object> furtherConfiguration(Settings settings) {
        return List.of(settings.get(TicketSettings.NUMBERING), settings.find(TicketSettings.INCREMENT));
    }

    @Override
    public TicketTable key(Settings settings, String sequence) {
        return TicketTable.of(settings);
    }

    @Override
    public long largest(TicketTable table) {
        return table.largest();
    }

    @Override
    public List<ConnectionAccess> serversIfUnset(Settings settings) {
        throw settings.missing(settings().servers(), NO_SERVERS);
    }

    @Override
    public Opener<TicketTable> opener(Settings settings, List<String> labels, boolean createTable) {
        NumberingCheck check = new NumberingCheck(labels);
        OptionalLong increment = TicketSettings.incrementOfClients(settings, labels.size());
        return (connection, place) -> {
            Optional<Numbering> numbering = increment.isPresent()
                    ? Optional.of(new Numbering(increment.getAsLong(), place + 1L))
                    : Optional.empty();
            TicketSession session = new TicketSession(connection, labels.get(place), numbering, createTable);
            check.accept(place, session.address(), session.numbering());
            return session;
        };
    }

    /** The field {@code server} is the offset of the server that gave the id. */
    @Override
    public DecodedId decode(long id, long step) {
        return new DecodedId(id, null, Map.of("server", Math.floorMod(id - 1, step) + 1));
    }
}
