package io.distributedid.backend.snowflake;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2LeaseContractTest extends LeaseContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.close();
        H2Servers.drop("leases");
    }

    @Override
    protected Map<String, String> store() {
        return Map.of(
                "distributedid.snowflake.lease.server", servers.url("leases"), "distributedid.create_tables", "true");
    }
}
