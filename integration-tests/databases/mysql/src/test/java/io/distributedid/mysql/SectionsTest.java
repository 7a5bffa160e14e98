package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseSectionsContract;

class SectionsTest extends DatabaseSectionsContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
