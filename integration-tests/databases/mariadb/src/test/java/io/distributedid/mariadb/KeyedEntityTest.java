package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedEntityContract;
import java.sql.SQLException;

class KeyedEntityTest extends KeyedEntityContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
