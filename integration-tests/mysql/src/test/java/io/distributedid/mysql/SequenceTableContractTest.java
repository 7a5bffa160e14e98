package io.distributedid.mysql;

import io.distributedid.DistributedIdSettings;
import io.distributedid.testkit.BackendContract;
import java.util.Map;

class SequenceTableContractTest extends BackendContract {

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND, "sequence_table",
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS,
                        MySqlServers.shard(0).jdbcUrl("contract"),
                DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE, "true");
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
