package io.distributedid.mariadb;

import io.distributedid.backend.ticket.TicketBatchContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class TicketBatchTest extends TicketBatchContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
