package io.distributedid.mariadb;

import io.distributedid.testkit.KeyedContract;

/** By the driver of MySQL, which speaks to MariaDB too. */
class KeyedByMySqlDriverTest extends KeyedContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().mySqlJdbcUrl("by_mysql_driver_" + name);
    }
}
