package io.distributedid.internal.keyed;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SectionsContract;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

class H2SectionsContractTest extends SectionsContract {

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
    protected String url(String name) {
        return servers.url(name);
    }
}
