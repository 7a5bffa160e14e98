package io.distributedid.backend.ticket;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.TicketContract;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2TicketContractTest extends TicketContract {

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
    protected String servers() {
        return servers.url("contract1") + ", " + servers.url("contract2");
    }

    @Override
    protected Map<String, String> more() {
        return Map.of("distributedid.ticket.numbering", "client");
    }
}
