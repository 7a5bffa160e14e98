package io.distributedid.ticket;

import io.distributedid.DistributedIdSettings;
import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2TicketContractTest extends BackendContract {

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
                DistributedIdSettings.BACKEND, "ticket",
                DistributedIdSettings.TICKET_SERVERS, servers.url("contract1") + ", " + servers.url("contract2"),
                DistributedIdSettings.TICKET_NUMBERING, "client",
                DistributedIdSettings.TICKET_CREATE_TABLE, "true");
    }

    @Override
    protected int ascendingStreams() {
        return 2;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
