package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseSectionsContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class SectionsTest extends DatabaseSectionsContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
