package io.distributedid.mysql;

import io.distributedid.backend.ticket.TicketBatchContract;

class TicketBatchTest extends TicketBatchContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
