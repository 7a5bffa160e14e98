package io.distributedid.mysql;

import io.distributedid.testkit.LockWaitContract;

class LockWaitTest extends LockWaitContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
