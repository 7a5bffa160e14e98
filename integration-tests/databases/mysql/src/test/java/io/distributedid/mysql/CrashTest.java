package io.distributedid.mysql;

import io.distributedid.testkit.CrashContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class CrashTest extends CrashContract {

    @Override
    protected String server() {
        return MySqlServers.shard(0).jdbcUrl("crashes");
    }
}
