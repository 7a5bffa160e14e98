package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RaiseContract;
import java.util.List;

@Needs(Need.MARIADB)
class RaiseTest extends RaiseContract {

    @Override
    protected List<String> urls(String name) {
        return List.of(MariaDbServers.odd().jdbcUrl(name), MariaDbServers.even().jdbcUrl(name));
    }
}
