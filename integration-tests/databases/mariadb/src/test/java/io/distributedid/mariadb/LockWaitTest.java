package io.distributedid.mariadb;

import io.distributedid.testkit.LockWaitContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class LockWaitTest extends LockWaitContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
