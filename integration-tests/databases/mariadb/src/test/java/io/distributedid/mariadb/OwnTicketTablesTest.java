package io.distributedid.mariadb;

import io.distributedid.testkit.OwnTicketTablesContract;

class OwnTicketTablesTest extends OwnTicketTablesContract {

    @Override
    protected String url(String name) {
        return MariaDbServers.odd().jdbcUrl(name);
    }
}
