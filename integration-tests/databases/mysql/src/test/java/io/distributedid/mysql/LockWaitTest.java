package io.distributedid.mysql;

import io.distributedid.testkit.LockWaitContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class LockWaitTest extends LockWaitContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
