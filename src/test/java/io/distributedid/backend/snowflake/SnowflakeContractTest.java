package io.distributedid.backend.snowflake;

import io.distributedid.testkit.BackendContract;
import java.util.Map;

class SnowflakeContractTest extends BackendContract {

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                "distributedid.backend", "snowflake", "distributedid.snowflake.worker", Integer.toString(node + 1));
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return false;
    }
}
