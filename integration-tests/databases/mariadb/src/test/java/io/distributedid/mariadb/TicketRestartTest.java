package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.TicketRestartContract;

class TicketRestartTest extends TicketRestartContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }
}
