package io.distributedid.mysql;

import io.distributedid.testkit.MySqlOwnTablesPreparationContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

@Needs(Need.MYSQL)
class OwnTablesPreparationTest extends MySqlOwnTablesPreparationContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MySqlServers.shard(0).jdbcUrl("own_prepared_" + name) + "&allowMultiQueries=true",
                MySqlServers.shard(1).jdbcUrl("own_prepared_" + name) + "&allowMultiQueries=true");
    }
}
