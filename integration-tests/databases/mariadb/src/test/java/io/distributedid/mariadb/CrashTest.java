package io.distributedid.mariadb;

import io.distributedid.testkit.CrashContract;

class CrashTest extends CrashContract {

    @Override
    protected String server() {
        return MariaDbServers.odd().jdbcUrl("crashes");
    }
}
