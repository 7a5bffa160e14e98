package io.distributedid.postgresql;

import io.distributedid.testkit.CuttingProxy;
import io.distributedid.testkit.CuttingProxy.Way;
import io.distributedid.testkit.LeaseFaultContract;
import java.io.IOException;
import java.net.URI;
import java.util.EnumSet;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;

/** Links to the store are cut, and fall silent for longer than a window. */
class LeaseFaultTest extends LeaseFaultContract {

    private static final int LONGEST_SILENCE_MILLIS = 3_000;

    private static CuttingProxy proxy;

    @BeforeAll
    static void start() throws IOException {
        proxy = new CuttingProxy(port());
    }

    private static int port() {
        return URI.create(Postgres.url().substring("jdbc:".length())).getPort();
    }

    @Override
    protected Map<String, String> store(int test) {
        return Map.of(
                "distributedid.snowflake.lease.table",
                "faults" + test,
                "distributedid.snowflake.lease.server",
                Postgres.url().replace(":" + port() + "/", ":" + proxy.port() + "/"),
                "distributedid.create_tables",
                "true");
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
    protected String disturbStore(Random dice) throws InterruptedException {
        if (dice.nextBoolean()) {
            proxy.breakAll();
            return "links cut";
        }
        proxy.hold(EnumSet.allOf(Way.class));
        Thread.sleep(dice.nextInt(LONGEST_SILENCE_MILLIS));
        proxy.letPass();
        return "links silent";
    }
}
