package io.distributedid.mysql;

import io.distributedid.testkit.PreparationContract;
import java.util.List;

class PreparationTest extends PreparationContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MySqlServers.shard(0).jdbcUrl("prepared_" + name),
                MySqlServers.shard(1).jdbcUrl("prepared_" + name));
    }
}
