package io.distributedid.mysql;

import io.distributedid.testkit.CrashContract;

class CrashTest extends CrashContract {

    @Override
    protected String server() {
        return MySqlServers.shard(0).jdbcUrl("crashes");
    }
}
