package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.RealServers;
import io.distributedid.testkit.SequenceTableLookContract;
import java.nio.file.Path;

class SequenceTableLookTest extends SequenceTableLookContract {

    @Override
    protected DatabaseServer start(Path folder, String... options) {
        RealServers.requireMySql();
        return MySqlServer.start(folder, options);
    }
}
