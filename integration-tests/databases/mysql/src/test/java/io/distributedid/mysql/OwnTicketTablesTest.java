package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.OwnTicketTablesContract;

@Needs(Need.MYSQL)
class OwnTicketTablesTest extends OwnTicketTablesContract {

    @Override
    protected String url(String name) {
        return MySqlServers.shard(0).jdbcUrl(name);
    }
}
