package io.distributedid.testkit;

import java.util.Map;

/** The contract of a backend, for a sequence table on a server. */
public abstract class SequenceTableContract extends BackendContract {

    /** The server's URL. */
    protected abstract String server();

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", server(),
                "distributedid.create_tables", "true",
                // A machine may be busy, and a start is not tried again.
                "distributedid.timeout", "30s");
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
