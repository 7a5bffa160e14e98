package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SectionsContract;

@Needs(Need.MYSQL)
class SectionsTest extends SectionsContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
