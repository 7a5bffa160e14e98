package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.MySqlLedgerContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MYSQL)
class LedgerTest extends MySqlLedgerContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.shard(0);
    }
}
