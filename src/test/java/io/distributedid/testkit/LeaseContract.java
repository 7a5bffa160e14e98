package io.distributedid.testkit;

import java.util.HashMap;
import java.util.Map;

/** The contract of a backend, for Snowflake with leased worker numbers: all nodes are configured alike. */
public abstract class LeaseContract extends BackendContract {

    /** Where the numbers are leased. */
    protected abstract Map<String, String> store();

    @Override
    protected Map<String, String> settings(int node) {
        Map<String, String> settings = new HashMap<>(store());
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        // A machine may be busy, and a start is not tried again.
        settings.put("distributedid.timeout", "30s");
        return settings;
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
