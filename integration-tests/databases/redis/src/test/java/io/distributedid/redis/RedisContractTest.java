package io.distributedid.redis;

import io.distributedid.testkit.BackendContract;
import io.distributedid.testkit.RedisServer;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** One server. */
class RedisContractTest extends BackendContract {

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
    protected Map<String, String> settings(int node) {
        return RedisServers.settings(server.url());
    }

    @Override
    protected int ascendingStreams() {
        return 1;
    }

    @Override
    protected boolean fitsInteger() {
        return true;
    }
}
