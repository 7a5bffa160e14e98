package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketContract;

@Needs(Need.MYSQL)
class TicketContractTest extends TicketContract {

    @Override
    protected String servers() {
        return MySqlServers.odd().jdbcUrl("contract") + ", "
                + MySqlServers.even().jdbcUrl("contract");
    }
}
