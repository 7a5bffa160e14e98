package io.distributedid.sequencetable;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.Database;
import io.distributedid.internal.Numbering;
import io.distributedid.internal.ServerGroup;
import io.distributedid.spi.ConnectionAccess;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The databases between which a sequence table is divided: of N, server i counts in steps of N from i on, so that any of them is
 * enough and no two give the same id. Asked in turn. Thread-safe.
 */
final class SequenceTableServers implements AutoCloseable {

    private final List<Database<SequenceTableSession>> servers = new ArrayList<>();

    private final ServerGroup<Database<SequenceTableSession>> group;

    /** Connects to nobody yet. */
    SequenceTableServers(List<ConnectionAccess> accesses, Duration timeout, boolean createTable) {
        for (int i = 0; i < accesses.size(); i++) {
            Numbering numbering = new Numbering(accesses.size(), i + 1L);
            String label = accesses.get(i).label();
            servers.add(new Database<>(
                    accesses.get(i),
                    timeout,
                    connection -> new SequenceTableSession(connection, label, numbering, createTable)));
        }
        group = new ServerGroup<>(servers, Database::label);
    }

    /** Calls the servers in turn until one succeeds. */
    <T> T call(Database.Work<SequenceTableSession, T> work) throws InterruptedException {
        return group.call(server -> server.call(work));
    }

    /** Calls every server that answers. */
    void callAll(Database.Work<SequenceTableSession, ?> work) {
        try {
            group.callAll(server -> server.call(work));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while connecting to the servers of the sequence table", e);
        }
    }

    /** Calls a server that was called before. */
    <T> T callAt(int server, Database.Work<SequenceTableSession, T> work) throws SQLException, InterruptedException {
        return servers.get(server).call(work);
    }

    int size() {
        return servers.size();
    }

    @Override
    public void close() {
        group.close();
        servers.forEach(Database::close);
    }
}
