package io.distributedid.mariadb;

/** By the driver of MySQL, which speaks to MariaDB too. */
class KeyedByMySqlDriverTest extends KeyedTest {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().mySqlJdbcUrl("by_mysql_driver_" + name);
    }
}
