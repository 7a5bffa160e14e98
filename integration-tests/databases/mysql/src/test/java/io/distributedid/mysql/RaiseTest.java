package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RaiseContract;
import java.util.List;

@Needs(Need.MYSQL)
class RaiseTest extends RaiseContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MySqlServers.shard(0).jdbcUrl(name), MySqlServers.shard(1).jdbcUrl(name));
    }
}
