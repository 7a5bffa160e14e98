package io.distributedid.mysql;

import io.distributedid.testkit.SequenceTableContract;

class SequenceTableContractTest extends SequenceTableContract {

    @Override
    protected String server() {
        return MySqlServers.shard(0).jdbcUrl("contract");
    }
}
