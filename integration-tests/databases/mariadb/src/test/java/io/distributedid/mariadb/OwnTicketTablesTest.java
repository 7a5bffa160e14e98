package io.distributedid.mariadb;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.OwnTicketTablesContract;

@Needs(Need.MARIADB)
class OwnTicketTablesTest extends OwnTicketTablesContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
