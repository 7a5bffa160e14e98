package io.distributedid.server;

import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.ServerProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Clients of an active server and a standby, which serve sequences in strict order. */
@Tag("slow")
class ServedOrderContractTest extends BackendContract {

    @TempDir
    static Path home;

    private static final List<ServerProcess> SERVERS = new ArrayList<>();

    private static H2Servers store;

    @BeforeAll
    static void start() throws IOException, SQLException {
        store = H2Servers.start();
        for (int i = 0; i < 2; i++) {
            SERVERS.add(ServerProcess.start(
                    home,
                    Map.of(
                            "distributedid.backend",
                            "snowflake",
                            "distributedid.snowflake.worker",
                            "exclusive",
                            "distributedid.snowflake.layout",
                            "strict",
                            "distributedid.snowflake.lease.server",
                            store.url("served_order"),
                            "distributedid.create_tables",
                            true,
                            "distributedid.server.port",
                            0,
                            "distributedid.server.sequences",
                            SEQUENCES)));
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        SERVERS.forEach(ServerProcess::close);
        H2Servers.drop("served_order");
        store.close();
    }

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                "distributedid.backend",
                "remote",
                "distributedid.remote.servers",
                SERVERS.stream().map(each -> each.url().toString()).collect(Collectors.joining(", ")));
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return false;
    }

    /** Each takes a trip. */
    @Override
    protected int idsEach() {
        return 500;
    }
}
