package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

/** By the driver of MySQL, which speaks to MariaDB too. */
@Needs(Need.MARIADB)
class KeyedByMySqlDriverTest extends KeyedTest {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().mySqlJdbcUrl("by_mysql_driver_" + name);
    }
}
