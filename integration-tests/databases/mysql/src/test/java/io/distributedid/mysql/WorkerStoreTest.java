package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.WorkerStoreContract;
import java.util.Map;

@Needs(Need.MYSQL)
class WorkerStoreTest extends WorkerStoreContract {

    @Override
    protected Map<String, String> settings(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MySqlServers.shard(0).jdbcUrl("workers"),
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.create_tables",
                "true");
    }
}
