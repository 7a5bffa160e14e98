package io.distributedid.backend.snowflake;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseMoveContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Moves worker numbers to another H2 server. */
@Tag("slow")
class H2LeaseMoveTest extends LeaseMoveContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.close();
        H2Servers.drop("move_old", "move_new");
    }

    @Override
    protected Map<String, String> oldStore() {
        return store("move_old");
    }

    @Override
    protected Map<String, String> newStore() {
        return store("move_new");
    }

    private static Map<String, String> store(String database) {
        return Map.of(
                "distributedid.snowflake.lease.server", servers.url(database), "distributedid.create_tables", "true");
    }
}
