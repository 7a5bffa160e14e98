package io.distributedid.mysql;

import io.distributedid.testkit.MultiplexedDrawContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class MultiplexedDrawTest extends MultiplexedDrawContract {

    @Override
    protected String url(String schema) {
        return MySqlServers.shard(0).jdbcUrl(schema);
    }
}
