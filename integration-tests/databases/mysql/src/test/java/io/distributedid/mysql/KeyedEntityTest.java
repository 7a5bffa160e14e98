package io.distributedid.mysql;

import io.distributedid.testkit.KeyedEntityContract;
import java.sql.SQLException;

class KeyedEntityTest extends KeyedEntityContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
