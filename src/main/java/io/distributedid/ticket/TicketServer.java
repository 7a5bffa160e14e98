package io.distributedid.ticket;

import io.distributedid.internal.Database;
import io.distributedid.internal.Floor;
import io.distributedid.internal.Numbering;
import io.distributedid.spi.Block;
import io.distributedid.spi.ConnectionAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;

/** One ticket server. On every new connection it is asked who it is and how it numbers. Thread-safe. */
final class TicketServer implements AutoCloseable {

    /** Told of every new connection before it is used; throws if it must not be. */
    @FunctionalInterface
    interface Observer {

        void connected(String identity, Numbering numbering);
    }

    private final Database<TicketSession> database;

    /**
     * Connects at the first call.
     *
     * @param byClient the numbering that clients set; empty if the server's own holds
     */
    TicketServer(
            ConnectionAccess access,
            Duration timeout,
            Optional<Numbering> byClient,
            boolean createTable,
            Observer observer) {
        database = new Database<>(access, timeout, connection -> {
            TicketSession session = new TicketSession(connection, byClient, createTable);
            observer.connected(session.identity(), session.numbering());
            return session;
        });
    }

    String label() {
        return database.label();
    }

    /** Checks the table, and creates it if it may. */
    Numbering open(String table, Floor floor) throws SQLException, InterruptedException {
        return database.call(session -> {
            session.open(table, label(), floor);
            return session.numbering();
        });
    }

    /** Reserves up to {@code wanted} ids. */
    Block reserve(String table, Floor floor, long wanted) throws SQLException, InterruptedException {
        return database.call(session -> {
            session.open(table, label(), floor);
            return session.reserve(table, wanted);
        });
    }

    @Override
    public void close() {
        database.close();
    }
}
