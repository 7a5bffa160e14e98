package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedEntityCrashContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class KeyedEntityTest extends KeyedEntityCrashContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
