package io.distributedid.backend.sequencetable;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SequenceTableContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2SequenceTableContractTest extends SequenceTableContract {

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
    protected String server() {
        return servers.url("contract");
    }
}
