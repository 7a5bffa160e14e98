package io.distributedid.postgresql;

import io.distributedid.testkit.StrictOrderContract;
import java.util.Map;

class StrictOrderTest extends StrictOrderContract {

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                Postgres.url(),
                "distributedid.snowflake.lease.table",
                "strict" + test,
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected int steps() {
        return 4;
    }
}
