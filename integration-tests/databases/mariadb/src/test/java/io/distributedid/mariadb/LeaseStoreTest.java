package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SqlLeaseStoreContract;

@Needs(Need.MARIADB)
class LeaseStoreTest extends SqlLeaseStoreContract {

    @Override
    protected String url() {
        return MariaDbServers.odd().jdbcUrl("lease_store");
    }
}
