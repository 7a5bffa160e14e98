package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SectionsContract;

@Needs(Need.MARIADB)
class SectionsTest extends SectionsContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
