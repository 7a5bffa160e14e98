package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.TicketRestartContract;

class TicketRestartTest extends TicketRestartContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.odd();
    }
}
