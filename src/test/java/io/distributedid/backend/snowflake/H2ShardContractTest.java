package io.distributedid.backend.snowflake;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.ShardContract;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

/** Two processes that write to the same shard are told apart by the worker numbers that they lease. */
@Tag("slow")
class H2ShardContractTest extends ShardContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() throws SQLException {
        servers.close();
        H2Servers.drop("shards");
    }

    @Override
    protected Map<String, String> settings() {
        return Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.layout", "sharded",
                "distributedid.snowflake.worker", "lease",
                "distributedid.snowflake.lease.server", servers.url("shards"),
                "distributedid.create_tables", "true",
                "distributedid.shard.from", "caller",
                "distributedid.shard.count", "2000");
    }

    @Override
    protected Duration maxAhead() {
        return Duration.ofMillis(100);
    }
}
