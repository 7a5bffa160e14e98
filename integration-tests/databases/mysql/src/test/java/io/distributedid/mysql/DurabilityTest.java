package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.DurabilityContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.RealServers;
import java.nio.file.Path;

class DurabilityTest extends DurabilityContract {

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        RealServers.requireMySql();
        return MySqlServer.start(folder, options);
    }
}
