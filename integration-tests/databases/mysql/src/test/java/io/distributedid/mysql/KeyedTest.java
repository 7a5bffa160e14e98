package io.distributedid.mysql;

import io.distributedid.testkit.KeyedContract;

class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
