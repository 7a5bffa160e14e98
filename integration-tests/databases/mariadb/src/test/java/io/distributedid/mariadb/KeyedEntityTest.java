package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedEntityCrashContract;

class KeyedEntityTest extends KeyedEntityCrashContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
