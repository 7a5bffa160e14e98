package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.PreparationContract;
import java.util.List;

@Needs(Need.MARIADB)
class PreparationTest extends PreparationContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MariaDbServers.odd().mySqlJdbcUrl("prepared_" + name),
                MariaDbServers.even().mySqlJdbcUrl("prepared_" + name));
    }
}
