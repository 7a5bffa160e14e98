package io.distributedid.mariadb;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableLookContract;

@Needs(Need.MARIADB)
class SequenceTableLookTest extends SequenceTableLookContract {

    @Override
    protected DatabaseServer server() {
        return MariaDbServers.odd();
    }
}
