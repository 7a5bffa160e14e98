package io.distributedid.mysql;

import io.distributedid.testkit.KeyedEntityContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class KeyedEntityTest extends KeyedEntityContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
