package io.distributedid.backend.sequencetable;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import javax.sql.DataSource;

/** One connection to each server of a move, even if it is in both lists: a pool may have only one. For one thread. */
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
        boolean isAdded = false;
        try {
            String address = address(connection);
            for (MoveServer server : all) {
                if (server.address().equals(address)) {
                    return server;
                }
            }
            MoveServer server = new MoveServer(MoveConnection.of(connection), address, table);
            all.add(server);
            isAdded = true;
            return server;
        } finally {
            if (!isAdded) {
                connection.close();
            }
        }
    }

    /**
     * Reveals two data sources of one database. If their addresses differ, the move still fails: the second connection
     * finds a claim that the first has changed.
     */
    private static String address(Connection connection) throws SQLException {
        return Objects.toString(connection.getMetaData().getURL()) + " " + connection.getCatalog() + " "
                + connection.getSchema();
    }

    /** In the order of the lists, without duplicates. */
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
