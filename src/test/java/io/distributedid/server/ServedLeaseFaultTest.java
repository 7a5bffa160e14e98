package io.distributedid.server;

import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LeaseFaultContract;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** Processes without a database, behind two servers that are restarted. */
@Tag("slow")
class ServedLeaseFaultTest extends LeaseFaultContract {

    private static final RestartedServers SERVERS = new RestartedServers("served_faults");

    @AfterAll
    static void stop() throws SQLException {
        SERVERS.close();
        H2Servers.drop("served_faults");
    }

    @Override
    protected Map<String, String> store(int test) {
        return SERVERS.store(test);
    }

    @Override
    protected int processes() {
        return 3;
    }

    @Override
    protected int steps() {
        return 30;
    }

    @Override
    protected String disturbStore(Random dice) {
        return SERVERS.restart(dice);
    }
}
