package io.distributedid.redis;

import io.distributedid.testkit.BackendContract;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A cluster, whose servers have some sequences each. */
class RedisClusterContractTest extends BackendContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = new RedisCluster();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    protected Map<String, String> settings(int node) {
        return RedisServers.settings(cluster.url());
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
