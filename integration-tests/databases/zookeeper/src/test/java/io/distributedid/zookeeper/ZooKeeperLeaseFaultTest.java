package io.distributedid.zookeeper;

import io.distributedid.testkit.LeaseFaultContract;
import io.distributedid.testkit.StartedServers;
import java.util.Map;
import java.util.Random;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server is away for a while, and comes back with what it held. */
@ExtendWith(StartedServers.class)
class ZooKeeperLeaseFaultTest extends LeaseFaultContract {

    private static final int LONGEST_AWAY_MILLIS = 2_000;

    private static TestingServer server;

    @BeforeAll
    static void start() throws Exception {
        server = StartedServers.add(new TestingServer(true));
    }

    @Override
    protected Map<String, String> store(int test) {
        return ZooKeeper.store(server, "/faults/workers" + test);
    }

    @Override
    protected int processes() {
        return 3;
    }

    @Override
    protected int steps() {
        return 10;
    }

    @Override
    protected String disturbStore(Random dice) throws Exception {
        server.stop();
        Thread.sleep(dice.nextInt(LONGEST_AWAY_MILLIS));
        server.restart();
        return "server away";
    }
}
