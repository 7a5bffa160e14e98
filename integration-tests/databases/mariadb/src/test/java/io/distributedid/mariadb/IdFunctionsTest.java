package io.distributedid.mariadb;

import io.distributedid.testkit.IdFunctionsContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.Map;

@Needs(Need.MARIADB)
class IdFunctionsTest extends IdFunctionsContract {

    @Override
    protected Map<String, String> database() {
        return Map.of("hibernate.connection.url", MariaDbServers.odd().jdbcUrl("functions"));
    }
}
