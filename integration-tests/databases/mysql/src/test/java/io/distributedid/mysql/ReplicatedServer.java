package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.MySqlServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.stream.Stream;

/** A MySQL server and its asynchronous replica. */
final class ReplicatedServer implements AutoCloseable {

    private final MySqlServer source;

    private final MySqlServer replica;

    private ReplicatedServer(MySqlServer source, MySqlServer replica) {
        this.source = source;
        this.replica = replica;
    }

    static ReplicatedServer start(int serverId, String... arguments) throws IOException, SQLException {
        MySqlServer source = start("source", serverId, arguments);
        MySqlServer replica = start("replica", serverId + 1, arguments);
        execute(
                replica,
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=" + source.port()
                        + ", SOURCE_USER='root', SOURCE_PASSWORD='', SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1",
                "START REPLICA",
                "SET GLOBAL read_only = ON");
        return new ReplicatedServer(source, replica);
    }

    private static MySqlServer start(String name, int serverId, String... arguments) throws IOException {
        return MySqlServer.start(
                Files.createTempDirectory(Path.of("target"), name),
                Stream.concat(
                                Arrays.stream(arguments),
                                Stream.of(
                                        "--server-id=" + serverId,
                                        "--gtid-mode=ON",
                                        "--enforce-gtid-consistency=ON",
                                        "--slave-net-timeout=5"))
                        .toArray(String[]::new));
    }

    MySqlServer source() {
        return source;
    }

    MySqlServer replica() {
        return replica;
    }

    /** Returns when the replica has all that was committed. */
    void catchUp() throws SQLException {
        String committed = DatabaseRows.rows(source.jdbcUrl("mysql"), "SELECT @@GLOBAL.gtid_executed")
                .get(0);
        String waited = DatabaseRows.rows(
                        replica.jdbcUrl("mysql"),
                        "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + committed.replace("\n", "") + "', 30)")
                .get(0);
        if (!waited.equals("0")) {
            throw new IllegalStateException("The replica does not catch up: "
                    + DatabaseRows.rows(replica.jdbcUrl("mysql"), "SHOW REPLICA STATUS"));
        }
    }

    /** From now on nothing that is committed reaches the replica. */
    void lag() throws SQLException {
        catchUp();
        execute(replica, "STOP REPLICA");
    }

    /** The source is gone, and the replica is a server of its own. */
    void promote() throws SQLException {
        source.kill9();
        execute(replica, "STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
    }

    private static void execute(MySqlServer server, String... statements) throws SQLException {
        DatabaseRows.execute(server.jdbcUrl("mysql"), statements);
    }

    @Override
    public void close() {
        replica.close();
        source.close();
    }
}
