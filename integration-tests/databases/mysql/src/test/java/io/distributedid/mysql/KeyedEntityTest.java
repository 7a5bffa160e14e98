package io.distributedid.mysql;

import io.distributedid.testkit.KeyedEntityCrashContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class KeyedEntityTest extends KeyedEntityCrashContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
