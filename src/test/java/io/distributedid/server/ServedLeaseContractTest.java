package io.distributedid.server;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** Nodes without a database, behind a server without sequences. */
class ServedLeaseContractTest extends LeaseContract {

    private static RunningServer server;

    @BeforeAll
    static void start() {
        server = RunningServer.with(Map.of(
                "server.workers", "true",
                "snowflake.lease.server", "jdbc:h2:mem:contract_leases;DB_CLOSE_DELAY=-1",
                "create_tables", "true",
                "timeout", "30s"));
    }

    @AfterAll
    static void stop() throws SQLException {
        server.close();
        H2Servers.drop("contract_leases");
    }

    @Override
    protected Map<String, String> store() {
        return Map.of(
                "distributedid.snowflake.lease.store",
                "service",
                "distributedid.snowflake.lease.service",
                server.server().url());
    }
}
