package io.distributedid.sequencetable;

import io.distributedid.DistributedIdSettings;
import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2SequenceTableContractTest extends BackendContract {

    private static H2Servers servers;

    @BeforeAll
    static void start() throws SQLException {
        servers = H2Servers.start();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    @Override
    protected Map<String, String> settings(int node) {
        return Map.of(
                DistributedIdSettings.BACKEND, "sequence_table",
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS, servers.url("contract"),
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
