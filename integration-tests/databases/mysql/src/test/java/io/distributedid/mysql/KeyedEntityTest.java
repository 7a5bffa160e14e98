package io.distributedid.mysql;

import io.distributedid.testkit.KeyedEntityCrashContract;

class KeyedEntityTest extends KeyedEntityCrashContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
