package io.distributedid.mysql;

import io.distributedid.testkit.LeaseContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

@Needs(Need.MYSQL)
class LeaseContractTest extends LeaseContract {

    @Override
    protected Map<String, String> store() {
        return Map.of(
                "distributedid.snowflake.lease.server",
                MySqlServers.shard(0).jdbcUrl("leases"),
                "distributedid.create_tables",
                "true");
    }
}
