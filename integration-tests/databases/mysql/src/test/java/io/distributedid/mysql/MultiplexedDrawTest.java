package io.distributedid.mysql;

import io.distributedid.testkit.MultiplexedDrawContract;

class MultiplexedDrawTest extends MultiplexedDrawContract {

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }
}
