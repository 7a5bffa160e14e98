package io.distributedid.mysql;

import io.distributedid.testkit.DatabaseServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableLookContract;

@Needs(Need.MYSQL)
class SequenceTableLookTest extends SequenceTableLookContract {

    @Override
    protected DatabaseServer server() {
        return MySqlServers.shard(0);
    }
}
