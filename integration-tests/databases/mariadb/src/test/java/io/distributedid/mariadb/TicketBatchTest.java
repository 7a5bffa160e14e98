package io.distributedid.mariadb;

import io.distributedid.backend.ticket.TicketBatchContract;

class TicketBatchTest extends TicketBatchContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
