package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.DurabilityContract;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import java.nio.file.Path;

@Needs(Need.MYSQL)
class DurabilityTest extends DurabilityContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.shard(0);
    }

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        return MySqlServer.start(folder, options);
    }
}
