package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.MySqlLedgerContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class LedgerTest extends MySqlLedgerContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }
}
