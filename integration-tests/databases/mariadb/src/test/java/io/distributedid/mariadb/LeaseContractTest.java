package io.distributedid.mariadb;

import io.distributedid.testkit.LeaseContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

@Needs(Need.MARIADB)
class LeaseContractTest extends LeaseContract {

    @Override
    protected Map<String, String> store() {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MariaDbServers.odd().jdbcUrl("leases"),
                "distributedid.create_tables",
                "true");
    }
}
