package io.distributedid.postgresql;

import io.distributedid.testkit.WorkerStoreContract;
import java.util.Map;

class WorkerStoreTest extends WorkerStoreContract {

    @Override
    protected Map<String, String> settings(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                Postgres.url(),
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.create_tables",
                "true");
    }
}
