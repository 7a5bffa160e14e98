package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedContract;

/** By MariaDB's own driver. */
class KeyedTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
