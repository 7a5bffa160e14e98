package io.distributedid.mariadb;

import io.distributedid.testkit.SectionsContract;

class SectionsTest extends SectionsContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
