package io.distributedid.soak.topology;

import io.distributedid.soak.fault.Incidents.Group;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.PostgresServer;
import io.distributedid.testkit.ProgramServer;
import io.distributedid.testkit.ProgramServer.Greeting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A sequence table on PostgreSQL, behind PgBouncer in transaction pooling: each transaction of a client may run in
 * another session of the server.
 */
final class PooledPostgres extends BlockTopology {

    private static final String SERVERS = "distributedid.sequence_table.servers";

    private PooledPostgres(List<Node> nodes) {
        super(
                nodes,
                Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        SERVERS,
                        url(nodes.get(1).proxy().port()),
                        "distributedid.create_tables",
                        "true"));
    }

    /** Prepared statements belong to a session, and PgBouncer shares sessions. */
    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&prepareThreshold=0";
    }

    static Topology start(Path folder) throws IOException {
        List<Node> nodes = new ArrayList<>();
        Node postgres = new Node("PostgreSQL", PostgresServer.start(folder.resolve("postgres")));
        nodes.add(postgres);
        nodes.add(new Node(
                "PgBouncer",
                ProgramServer.start(
                        folder.resolve("pgbouncer"),
                        (data, port) -> command(data, port, postgres.proxy().port()),
                        Greeting.NONE)));
        return new PooledPostgres(nodes);
    }

    private static List<String> command(Path data, int port, int server) throws IOException {
        Path config = data.resolve("pgbouncer.ini");
        Files.write(
                config,
                List.of(
                        "[databases]",
                        "postgres = host=127.0.0.1 port=" + server + " user=postgres",
                        "[pgbouncer]",
                        "listen_addr = 127.0.0.1",
                        "listen_port = " + port,
                        "unix_socket_dir =",
                        "auth_type = any",
                        "pool_mode = transaction",
                        "default_pool_size = 4",
                        "server_login_retry = 1",
                        "ignore_startup_parameters = extra_float_digits"));
        List<String> command =
                new ArrayList<>(List.of(Need.program("pgbouncer").orElseThrow().toString()));
        if ("root".equals(System.getProperty("user.name"))) {
            // It refuses to run as root.
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(config.toString());
        return command;
    }

    @Override
    public List<Group> groups() {
        return all(nodes());
    }

    @Override
    public List<Map<String, String>> wrongSettings() {
        return List.of(withMore(SERVERS, Topology.alias(settings().get(SERVERS))));
    }

    @Override
    public Optional<String> statement() {
        return Optional.of("UPDATE");
    }

    /** The server stands alone: nobody else knows what it forgot, so an operator repairs it. */
    @Override
    public boolean restoresBackups() {
        return true;
    }

    @Override
    public void repair(long largest) {
        repair(SERVERS, url(nodes().get(0).server().port()), largest);
    }
}
