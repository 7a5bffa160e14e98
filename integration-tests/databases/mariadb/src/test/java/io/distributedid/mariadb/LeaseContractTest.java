package io.distributedid.mariadb;

import io.distributedid.testkit.LeaseContract;
import java.util.Map;

class LeaseContractTest extends LeaseContract {

    @Override
    protected Map<String, String> store() {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MariaDbServers.odd().jdbcUrl("leases"),
                "distributedid.snowflake.lease.create_table",
                "true");
    }
}
