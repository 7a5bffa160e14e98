package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketContract;

/** By the driver of MariaDB. */
@Needs(Need.MARIADB)
class TicketContractTest extends TicketContract {

    @Override
    protected String servers() {
        return MariaDbServers.odd().jdbcUrl("contract") + ", "
                + MariaDbServers.even().jdbcUrl("contract");
    }
}
