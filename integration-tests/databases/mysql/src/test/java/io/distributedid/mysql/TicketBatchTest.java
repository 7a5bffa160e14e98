package io.distributedid.mysql;

import io.distributedid.backend.ticket.TicketBatchContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class TicketBatchTest extends TicketBatchContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
