package io.distributedid.redis;

import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One server. */
class RedisContractTest extends OneRedisContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServers.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    String url() {
        return server.url();
    }
}
