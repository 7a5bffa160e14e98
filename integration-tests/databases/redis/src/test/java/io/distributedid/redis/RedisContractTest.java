package io.distributedid.redis;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.BeforeAll;

/** One server. */
@Needs(Need.REDIS)
class RedisContractTest extends OneRedisContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServers.start();
    }

    @Override
    String url() {
        return server.url();
    }
}
