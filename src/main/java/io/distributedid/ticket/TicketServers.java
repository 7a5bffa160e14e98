package io.distributedid.ticket;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.Floor;
import io.distributedid.internal.HighestIds;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.ServerGroup;
import io.distributedid.spi.BlockSource;
import io.distributedid.spi.ConnectionAccess;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The ticket servers of one id space: asked in turn, each for numbers of its own residue, so that one of them is enough. Thread-safe.
 */
final class TicketServers implements AutoCloseable {

    private final List<TicketServer> servers = new ArrayList<>();

    private final ServerGroup<TicketServer> group;

    /** The tables that were opened. */
    private final Map<String, Floor> floors = new ConcurrentHashMap<>();

    private final ReentrantLock checking = new ReentrantLock();

    private final NumberingCheck check;

    private volatile long increment;

    /** Connects to nobody yet. */
    TicketServers(List<ConnectionAccess> accesses, Duration timeout, TicketNumbering numbering, boolean createTable) {
        check = new NumberingCheck(
                accesses.stream().map(ConnectionAccess::label).toList());
        for (int i = 0; i < accesses.size(); i++) {
            int place = i;
            Optional<Numbering> byClient = numbering == TicketNumbering.CLIENT
                    ? Optional.of(new Numbering(accesses.size(), i + 1L))
                    : Optional.empty();
            servers.add(new TicketServer(
                    accesses.get(i),
                    timeout,
                    byClient,
                    createTable,
                    (identity, said) -> connected(place, identity, said)));
        }
        group = new ServerGroup<>(servers, TicketServer::label);
    }

    private void connected(int place, String identity, Numbering numbering) {
        checking.lock();
        try {
            check.accept(place, identity, numbering);
            increment = numbering.increment();
        } finally {
            checking.unlock();
        }
    }

    /**
     * Checks a table on every server that answers.
     *
     * @return reserves ids from it
     * @throws io.distributedid.IdConfigurationException if one of them must not be used
     * @throws IdUnavailableException if none answers
     */
    BlockSource open(String table) {
        if (!floors.containsKey(table)) {
            openAll(table, Floor.NONE);
        }
        HighestIds highest = new HighestIds();
        String remedy = "REPLACE INTO " + table + " (stub, id) VALUES ('" + TicketDialect.STUB + "', <id>)";
        return wanted -> group.call(server -> highest.requireAbove(
                server.reserve(table, floors.getOrDefault(table, Floor.NONE), wanted),
                server.label() + " table=" + table,
                remedy));
    }

    /** Tickets of a table must lie above what exists, from now on. */
    void requireAbove(String table, long existing, boolean raise) {
        openAll(table, floors.getOrDefault(table, Floor.NONE).withExisting(existing, raise));
    }

    private void openAll(String table, Floor floor) {
        try {
            group.callAll(server -> server.open(table, floor));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to the ticket servers", e);
        }
        floors.put(table, floor);
    }

    /** How far apart two ids of one server are. */
    long increment() {
        return increment;
    }

    @Override
    public void close() {
        group.close();
        servers.forEach(TicketServer::close);
    }
}
