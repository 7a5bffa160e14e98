package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketRestartContract;

@Needs(Need.MARIADB)
class TicketRestartTest extends TicketRestartContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }
}
