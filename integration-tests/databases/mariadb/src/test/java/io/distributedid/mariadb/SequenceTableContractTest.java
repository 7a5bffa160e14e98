package io.distributedid.mariadb;

import io.distributedid.testkit.SequenceTableContract;

/** By the driver of MySQL, which speaks to MariaDB too. */
class SequenceTableContractTest extends SequenceTableContract {

    @Override
    protected String server() {
        return MariaDbServers.odd().mySqlJdbcUrl("contract");
    }
}
