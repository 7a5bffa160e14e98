package io.distributedid.backend.memory;

import io.distributedid.testkit.BackendContract;
import java.util.Map;

/** The backend for tests promises what every backend promises, in one process. */
class MemoryContractTest extends BackendContract {

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of("distributedid.backend", "memory");
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
