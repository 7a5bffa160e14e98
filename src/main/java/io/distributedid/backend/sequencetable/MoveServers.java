package io.distributedid.backend.sequencetable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** One connection to each server of a move, though it be in both lists: a pool may have no more. For one thread. */
final class MoveServers implements AutoCloseable {

    private final String table;

    private final IdentityHashMap<DataSource, MoveServer> bySource = new IdentityHashMap<>();

    private final List<MoveServer> all = new ArrayList<>();

    MoveServers(String table) {
        this.table = table;
    }

    MoveServer connect(DataSource source) throws SQLException {
        MoveServer known = bySource.get(source);
        if (known == null) {
            known = open(source);
            bySource.put(source, known);
        }
        return known;
    }

    private MoveServer open(DataSource source) throws SQLException {
        Connection connection = source.getConnection();
        boolean kept = false;
        try {
            String place = place(connection);
            for (MoveServer server : all) {
                if (server.place().equals(place)) {
                    return server;
                }
            }
            MoveServer server = new MoveServer(MoveConnection.of(connection), place, table);
            all.add(server);
            kept = true;
            return server;
        } finally {
            if (!kept) {
                connection.close();
            }
        }
    }

    /**
     * Two sources may lead to one database. What this does not see is refused when the claim changes under the move's
     * hands.
     */
    private static String place(Connection connection) throws SQLException {
        return Objects.toString(connection.getMetaData().getURL()) + " " + connection.getCatalog() + " "
                + connection.getSchema();
    }

    /** Each once, in the order of the lists. */
    List<MoveServer> all() {
        return List.copyOf(all);
    }

    @Override
    public void close() throws SQLException {
        for (MoveServer server : all) {
            server.close();
        }
    }
}
