package io.distributedid.postgresql;

import io.distributedid.testkit.LeaseContract;
import java.util.Map;

class LeaseContractTest extends LeaseContract {

    @Override
    protected Map<String, String> store() {
        return Map.of("distributedid.snowflake.lease.server", Postgres.url(), "distributedid.create_tables", "true");
    }
}
