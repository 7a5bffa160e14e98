package io.distributedid.server;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.StrictOrderContract;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** Processes without a database make ids in strict order, behind two servers that are restarted. */
@Tag("slow")
class ServedStrictOrderTest extends StrictOrderContract {

    private static final RestartedServers SERVERS = new RestartedServers("served_strict");

    @AfterAll
    static void stop() throws SQLException {
        SERVERS.close();
        H2Servers.drop("served_strict");
    }

    @Override
    protected Map<String, String> store(int test) {
        return SERVERS.store(test);
    }

    @Override
    protected int steps() {
        return 15;
    }

    @Override
    protected String disturbStore(Random dice) {
        return SERVERS.restart(dice);
    }
}
