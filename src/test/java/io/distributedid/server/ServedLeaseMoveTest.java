package io.distributedid.server;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseMoveContract;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Moves worker numbers from the servers of one table to those of another. */
@Tag("slow")
class ServedLeaseMoveTest extends LeaseMoveContract {

    private static RunningServer oldServer;

    private static RunningServer newServer;

    @BeforeAll
    static void start() {
        oldServer = WorkerServices.server("served_move", "snowflake.lease.table", "worker_old");
        newServer = WorkerServices.server("served_move", "snowflake.lease.table", "worker_new");
    }

    @AfterAll
    static void stop() throws SQLException {
        oldServer.close();
        newServer.close();
        H2Servers.drop("served_move");
    }

    @Override
    protected Map<String, String> oldStore() {
        return store(oldServer);
    }

    @Override
    protected Map<String, String> newStore() {
        return store(newServer);
    }

    private static Map<String, String> store(RunningServer server) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.snowflake.lease.store", "service");
        settings.put("distributedid.snowflake.lease.service", server.server().url());
        return settings;
    }
}
