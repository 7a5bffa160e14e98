package io.distributedid.backend.snowflake;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseFaultContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class H2LeaseFaultTest extends LeaseFaultContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.close();
        H2Servers.drop("faults");
    }

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.snowflake.lease.server",
                servers.url("faults"),
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected int processes() {
        return 3;
    }

    @Override
    protected int steps() {
        return 15;
    }
}
