package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.NoticedLossContract;

@Needs(Need.MYSQL)
class NoticedLossTest extends NoticedLossContract {

    @Override
    protected String url(int server, String schema) {
        return MySqlServers.shard(server).jdbcUrl(schema);
    }
}
