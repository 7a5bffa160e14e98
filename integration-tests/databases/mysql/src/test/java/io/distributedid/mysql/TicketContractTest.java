package io.distributedid.mysql;

import io.distributedid.testkit.TicketContract;

class TicketContractTest extends TicketContract {

    @Override
    protected String servers() {
        return MySqlServers.odd().jdbcUrl("contract") + ", "
                + MySqlServers.even().jdbcUrl("contract");
    }
}
