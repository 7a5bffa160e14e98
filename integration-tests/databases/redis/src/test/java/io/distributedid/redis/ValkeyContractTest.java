package io.distributedid.redis;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.BeforeAll;

/** One Valkey server. */
@Needs(Need.VALKEY)
class ValkeyContractTest extends OneRedisContract {

    private static RedisServer server;

    @BeforeAll
    static void start() {
        server = RedisServers.startValkey();
    }

    @Override
    String url() {
        return server.url();
    }
}
