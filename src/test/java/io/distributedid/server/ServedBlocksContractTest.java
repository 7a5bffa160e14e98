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
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/**
 * Clients of two servers over one table: one for each node, since another server helps out if the first is slow, and
 * its ids may be older.
 */
@Tag("slow")
class ServedBlocksContractTest extends BackendContract {

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
                            "sequence_table",
                            "distributedid.sequence_table.servers",
                            store.url("served_blocks"),
                            "distributedid.create_tables",
                            true,
                            "distributedid.timeout",
                            "30s",
                            "distributedid.block.timeout",
                            "30s",
                            "distributedid.server.port",
                            0,
                            "distributedid.server.sequences",
                            SEQUENCES)));
        }
    }

    @AfterAll
    static void stop() throws SQLException {
        SERVERS.forEach(ServerProcess::close);
        H2Servers.drop("served_blocks");
        store.close();
    }

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                "distributedid.backend",
                "remote",
                "distributedid.remote.servers",
                SERVERS.get(node).url().toString());
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
