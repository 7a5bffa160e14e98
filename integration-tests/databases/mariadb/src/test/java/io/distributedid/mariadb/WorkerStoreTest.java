package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.WorkerStoreContract;
import java.util.Map;

@Needs(Need.MARIADB)
class WorkerStoreTest extends WorkerStoreContract {

    @Override
    protected Map<String, String> settings(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MariaDbServers.odd().jdbcUrl("workers"),
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.create_tables",
                "true");
    }
}
