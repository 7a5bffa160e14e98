package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableContract;

/** By the driver of MySQL, which speaks to MariaDB too. */
@Needs(Need.MARIADB)
class SequenceTableContractTest extends SequenceTableContract {

    @Override
    protected String server() {
        return MariaDbServers.odd().mySqlJdbcUrl("contract");
    }
}
