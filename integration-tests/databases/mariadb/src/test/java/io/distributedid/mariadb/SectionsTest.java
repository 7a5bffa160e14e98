package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseSectionsContract;

class SectionsTest extends DatabaseSectionsContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
