package io.distributedid.mysql;

import io.distributedid.testkit.LeaseFaultContract;
import io.distributedid.testkit.MySqlServer;
import java.util.Map;
import java.util.Random;

class LeaseFaultTest extends LeaseFaultContract {

    /** Its own, since it is killed. */
    private final MySqlServer server = MySqlServers.workers();

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.server",
                server.jdbcUrl("faults" + test),
                "distributedid.snowflake.lease.create_table",
                "true");
    }

    @Override
    protected int processes() {
        return 6;
    }

    @Override
    protected int steps() {
        return 60;
    }

    @Override
    protected String disturbStore(Random dice) throws Exception {
        switch (dice.nextInt(3)) {
            case 0 -> {
                server.kill9();
                server.restart();
                return "store killed";
            }
            case 1 -> {
                server.restart();
                return "store restarted";
            }
            default -> {
                server.pause();
                Thread.sleep(dice.nextInt(3_000));
                server.resume();
                return "store hung";
            }
        }
    }
}
