package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlReplication;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.StartedServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;

/** An odd ticket server and its asynchronous replica, the same two for all tests. */
final class ReplicatedServer {

    private static ReplicatedServer running;

    private final MySqlServer source;

    private final MySqlServer replica;

    private ReplicatedServer(MySqlServer source, MySqlServer replica) {
        this.source = source;
        this.replica = replica;
    }

    /** Returns the two as if nothing had been written to them. */
    static synchronized ReplicatedServer empty() throws IOException, SQLException {
        if (running == null) {
            running = new ReplicatedServer(start("source", 31), start("replica", 32));
        }
        clear(running.source);
        clear(running.replica);
        MySqlReplication.follow(running.replica, running.source);
        return running;
    }

    private static MySqlServer start(String name, int serverId) throws IOException {
        return StartedServers.keep(MySqlReplication.server(
                Files.createTempDirectory(Path.of("target"), name),
                serverId,
                "--auto-increment-increment=2",
                "--auto-increment-offset=1"));
    }

    /** The last test has killed the source, and made a server of its own of the replica. */
    private static void clear(MySqlServer server) throws SQLException {
        if (!server.isRunning()) {
            server.restart();
        }
        String url = server.jdbcUrl("mysql");
        DatabaseRows.execute(url, "STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
        for (String schema : DatabaseRows.rows(
                url,
                "SELECT schema_name FROM information_schema.schemata"
                        + " WHERE schema_name NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys')")) {
            DatabaseRows.execute(url, "DROP DATABASE " + schema);
        }
        DatabaseRows.execute(url, "RESET MASTER");
    }

    MySqlServer source() {
        return source;
    }

    MySqlServer replica() {
        return replica;
    }

    /** Returns when the replica has all that was committed. */
    void catchUp() throws SQLException {
        MySqlReplication.catchUp(replica, source);
    }

    /** From now on nothing that is committed reaches the replica. */
    void lag() throws SQLException {
        catchUp();
        MySqlReplication.lag(replica);
    }

    /** The source is gone, and the replica is a server of its own. */
    void promote() throws SQLException {
        MySqlReplication.promote(replica, source);
    }
}
