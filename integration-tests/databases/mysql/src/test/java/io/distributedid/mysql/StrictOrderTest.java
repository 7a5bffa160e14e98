package io.distributedid.mysql;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.StrictOrderContract;
import java.io.IOException;
import java.sql.SQLException;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeAll;

/** The store is killed, hangs for longer than a lease, and its answers are late or lost. */
@Needs(Need.MYSQL)
class StrictOrderTest extends StrictOrderContract {

    private static final int LONGEST_HANG_MILLIS = 2_000;

    private static FaultServer store;

    @BeforeAll
    static void start() throws IOException, SQLException {
        store = FaultServer.of("store", MySqlServers.workers(), "strict");
    }

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.table",
                "worker" + test,
                "distributedid.snowflake.lease.server",
                store.proxiedUrl(),
                "distributedid.create_tables",
                "true");
    }

    @Override
    protected int steps() {
        return 6;
    }

    @Override
    protected String disturbStore(Random dice) throws Exception {
        switch (dice.nextInt(4)) {
            case 0 -> {
                store.server().kill9();
                Thread.sleep(dice.nextInt(LONGEST_HANG_MILLIS));
                store.server().restart();
                return "store killed";
            }
            case 1 -> {
                store.server().pause();
                Thread.sleep(dice.nextInt(LONGEST_HANG_MILLIS));
                store.server().resume();
                return "store hangs";
            }
            default -> {
                Future<Boolean> cut = store.proxy().cutAtAnswerTo("UPDATE");
                try {
                    cut.get(LONGEST_HANG_MILLIS, TimeUnit.MILLISECONDS);
                    return "answer lost";
                } catch (TimeoutException e) {
                    // No process is active for the moment.
                    return "";
                }
            }
        }
    }
}
