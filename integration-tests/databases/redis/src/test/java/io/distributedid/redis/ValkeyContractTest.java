package io.distributedid.redis;

import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One Valkey server. */
class ValkeyContractTest extends OneRedisContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServers.startValkey();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Override
    String url() {
        return server.url();
    }
}
