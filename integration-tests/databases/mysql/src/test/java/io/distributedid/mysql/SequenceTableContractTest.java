package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.SequenceTableContract;

@Needs(Need.MYSQL)
class SequenceTableContractTest extends SequenceTableContract {

    @Override
    protected String server() {
        return MySqlServers.shard(0).jdbcUrl("contract");
    }
}
