package io.distributedid.backend.snowflake.lease;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.WorkerStoreContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;

class H2WorkerStoreTest extends WorkerStoreContract {

    @AfterAll
    static void drop() throws SQLException {
        H2Servers.drop("workers");
    }

    @Override
    protected Map<String, String> settings(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                "jdbc:h2:mem:workers;DB_CLOSE_DELAY=-1",
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.create_tables",
                "true");
    }
}
