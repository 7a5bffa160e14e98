package io.distributedid.testkit;

import io.distributedid.DistributedIdSettings;
import java.util.Map;

/** The contract of a backend, for a sequence table on a server. */
public abstract class SequenceTableContract extends BackendContract {

    /** The server's URL. */
    protected abstract String server();

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND, "sequence_table",
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS, server(),
                DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE, "true",
                // A machine may be busy, and a start is not tried again.
                DistributedIdSettings.SEQUENCE_TABLE_TIMEOUT, "30s");
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
