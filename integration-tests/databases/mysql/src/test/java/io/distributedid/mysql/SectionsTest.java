package io.distributedid.mysql;

import io.distributedid.testkit.SectionsContract;

class SectionsTest extends SectionsContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
