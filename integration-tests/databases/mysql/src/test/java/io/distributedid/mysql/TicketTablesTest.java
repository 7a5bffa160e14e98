package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.TicketTablesContract;

class TicketTablesTest extends TicketTablesContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.odd();
    }
}
