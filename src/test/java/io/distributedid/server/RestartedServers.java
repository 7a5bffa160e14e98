package io.distributedid.server;

import io.distributedid.testkit.Ports;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Two servers in front of one table of worker numbers, one of which is stopped and started again now and then. */
final class RestartedServers implements AutoCloseable {

    private final String database;

    private final Map<Integer, List<RunningServer>> byTest = new HashMap<>();

    RestartedServers(String database) {
        this.database = database;
    }

    /** The settings of a node, with a table of its own for each test. */
    Map<String, String> store(int test) {
        List<RunningServer> servers = byTest.computeIfAbsent(
                test, table -> new ArrayList<>(List.of(start(table, Ports.take()), start(table, Ports.take()))));
        return Map.of(
                "distributedid.snowflake.lease.store",
                "service",
                "distributedid.snowflake.lease.service",
                servers.get(0).server().url() + ", " + servers.get(1).server().url());
    }

    private RunningServer start(int table, int port) {
        return WorkerServices.server(database, "snowflake.lease.table", "worker" + table, "server.port", port);
    }

    /** Stops one of the servers of each test, and starts another in its place. */
    String restart(Random dice) {
        byTest.forEach((table, servers) -> {
            RunningServer stopped = servers.get(dice.nextInt(servers.size()));
            stopped.close();
            servers.set(servers.indexOf(stopped), start(table, stopped.port()));
        });
        return "restart of a server";
    }

    @Override
    public void close() {
        byTest.values().forEach(servers -> servers.forEach(RunningServer::close));
    }
}
