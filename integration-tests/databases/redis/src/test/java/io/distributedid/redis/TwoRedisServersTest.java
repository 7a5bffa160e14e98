package io.distributedid.redis;

import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;

/** Two servers, which give odd and even ids. */
@Needs(Need.REDIS)
class TwoRedisServersTest extends BackendContract {

    private static RedisServer odd;

    private static RedisServer even;

    @BeforeAll
    static void start() {
        odd = RedisServers.start();
        even = RedisServers.start();
    }

    @Override
    protected Map<String, String> settings(int node) {
        return RedisServers.settings(odd.url() + ", " + even.url());
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
