package io.distributedid.testkit;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/** An asynchronous replica of a MySQL server. Both are started with {@link #server}. */
public final class MySqlReplication {

    private static final String SYSTEM = "mysql";

    private static final int CATCH_UP_SECONDS = 60;

    private MySqlReplication() {}

    /** Starts a server that can be a source or a replica. */
    public static MySqlServer server(Path folder, int serverId, String... more) {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.addAll(List.of(
                "--server-id=" + serverId, "--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--slave-net-timeout=5"));
        return MySqlServer.start(folder, arguments.toArray(String[]::new));
    }

    /**
     * Makes an empty server a replica, which gets all from the first transaction on. Nobody else may write to it, not
     * even root, whom {@code read_only} does not stop.
     */
    public static void follow(MySqlServer replica, MySqlServer source) throws SQLException {
        execute(
                replica,
                "CHANGE REPLICATION SOURCE TO SOURCE_HOST='127.0.0.1', SOURCE_PORT=" + source.port()
                        + ", SOURCE_USER='root', SOURCE_PASSWORD='', SOURCE_AUTO_POSITION=1, GET_SOURCE_PUBLIC_KEY=1,"
                        + " SOURCE_CONNECT_RETRY=1, SOURCE_RETRY_COUNT=100000",
                "START REPLICA",
                "SET GLOBAL super_read_only = ON");
    }

    /** Returns when the replica has all that was committed. */
    public static void catchUp(MySqlServer replica, MySqlServer source) throws SQLException {
        String committed = DatabaseRows.rows(source.jdbcUrl(SYSTEM), "SELECT @@GLOBAL.gtid_executed")
                .get(0)
                .replace("\n", "");
        String timedOut = DatabaseRows.rows(
                        replica.jdbcUrl(SYSTEM),
                        "SELECT WAIT_FOR_EXECUTED_GTID_SET('" + committed + "', " + CATCH_UP_SECONDS + ")")
                .get(0);
        if (!timedOut.equals("0")) {
            throw new IllegalStateException("The replica does not catch up: "
                    + DatabaseRows.rows(replica.jdbcUrl(SYSTEM), "SHOW REPLICA STATUS"));
        }
    }

    /** From now on nothing that is committed reaches the replica. */
    public static void lag(MySqlServer replica) throws SQLException {
        execute(replica, "STOP REPLICA");
    }

    /** Kills the source. The replica is a server of its own then. */
    public static void promote(MySqlServer replica, MySqlServer source) throws SQLException {
        source.kill9();
        execute(replica, "STOP REPLICA", "RESET REPLICA ALL", "SET GLOBAL read_only = OFF");
    }

    private static void execute(MySqlServer server, String... statements) throws SQLException {
        DatabaseRows.execute(server.jdbcUrl(SYSTEM), statements);
    }
}
