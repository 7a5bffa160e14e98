package io.distributedid.redis;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** A cluster, whose servers have some sequences each. */
class RedisClusterContractTest extends OneRedisContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.withReplica();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Override
    String url() {
        return cluster.url();
    }
}
