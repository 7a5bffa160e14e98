package io.distributedid.mariadb;

import io.distributedid.testkit.TicketContract;

/** By the driver of MariaDB. */
class TicketContractTest extends TicketContract {

    @Override
    protected String servers() {
        return MariaDbServers.odd().jdbcUrl("contract") + ", "
                + MariaDbServers.even().jdbcUrl("contract");
    }
}
