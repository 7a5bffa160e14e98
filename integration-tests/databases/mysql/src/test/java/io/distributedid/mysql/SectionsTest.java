package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseSectionsContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class SectionsTest extends DatabaseSectionsContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
