package io.distributedid.mysql;

import io.distributedid.testkit.OwnTicketTablesContract;

class OwnTicketTablesTest extends OwnTicketTablesContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
