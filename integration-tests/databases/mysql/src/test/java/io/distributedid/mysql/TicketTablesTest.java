package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketTablesContract;

@Needs(Need.MYSQL)
class TicketTablesTest extends TicketTablesContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.odd();
    }
}
