package io.distributedid.mysql;

import io.distributedid.testkit.IdFunctionsContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

@Needs(Need.MYSQL)
class IdFunctionsTest extends IdFunctionsContract {

    @Override
    protected Map<String, String> database() {
        return Map.of("hibernate.connection.url", MySqlServers.shard(0).jdbcUrl("functions"));
    }
}
