package io.distributedid.backend.snowflake;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.StrictOrderContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2StrictOrderTest extends StrictOrderContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.close();
        H2Servers.drop("strict");
    }

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.snowflake.lease.server",
                servers.url("strict"),
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected int steps() {
        return 15;
    }
}
