package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedEntityContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class KeyedEntityTest extends KeyedEntityContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
