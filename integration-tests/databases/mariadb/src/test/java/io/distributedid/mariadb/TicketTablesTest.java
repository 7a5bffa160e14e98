package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.TicketTablesContract;

@Needs(Need.MARIADB)
class TicketTablesTest extends TicketTablesContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }
}
