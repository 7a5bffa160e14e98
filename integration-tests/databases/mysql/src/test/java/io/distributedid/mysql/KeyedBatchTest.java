package io.distributedid.mysql;

import io.distributedid.testkit.KeyedBatchContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class KeyedBatchTest extends KeyedBatchContract {

    @Override
    protected String url(String name) {
        String url = MySqlServers.shard(0).jdbcUrl(name);
        return url + (url.contains("?") ? "&" : "?") + "allowMultiQueries=true";
    }
}
