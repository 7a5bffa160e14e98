package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.PreparationContract;
import java.util.List;

@Needs(Need.MYSQL)
class PreparationTest extends PreparationContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MySqlServers.shard(0).jdbcUrl("prepared_" + name),
                MySqlServers.shard(1).jdbcUrl("prepared_" + name));
    }
}
