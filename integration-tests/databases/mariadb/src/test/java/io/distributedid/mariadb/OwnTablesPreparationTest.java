package io.distributedid.mariadb;

import io.distributedid.testkit.MySqlOwnTablesPreparationContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.util.List;

@Needs(Need.MARIADB)
class OwnTablesPreparationTest extends MySqlOwnTablesPreparationContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(
                MariaDbServers.odd().jdbcUrl("own_prepared_" + name) + "&allowMultiQueries=true",
                MariaDbServers.even().jdbcUrl("own_prepared_" + name) + "&allowMultiQueries=true");
    }
}
