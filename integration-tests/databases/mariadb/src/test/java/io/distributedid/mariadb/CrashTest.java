package io.distributedid.mariadb;

import io.distributedid.testkit.CrashContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;

@Needs(Need.MARIADB)
class CrashTest extends CrashContract {

    @Override
    protected String server() {
        return MariaDbServers.odd().jdbcUrl("crashes");
    }
}
