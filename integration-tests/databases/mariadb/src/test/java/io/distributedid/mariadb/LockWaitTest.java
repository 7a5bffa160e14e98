package io.distributedid.mariadb;

import io.distributedid.testkit.LockWaitContract;

class LockWaitTest extends LockWaitContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
