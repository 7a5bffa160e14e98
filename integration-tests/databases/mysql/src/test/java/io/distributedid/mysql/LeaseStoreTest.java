package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SqlLeaseStoreContract;

@Needs(Need.MYSQL)
class LeaseStoreTest extends SqlLeaseStoreContract {

    @Override
    protected String url() {
        return MySqlServers.shard(0).jdbcUrl("lease_store");
    }
}
