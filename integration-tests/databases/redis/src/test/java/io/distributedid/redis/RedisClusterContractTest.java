package io.distributedid.redis;

import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import org.junit.jupiter.api.BeforeAll;

/** A cluster, whose servers have some sequences each. */
@Needs(Need.REDIS)
class RedisClusterContractTest extends OneRedisContract {

    private static RedisCluster cluster;

    @BeforeAll
    static void start() {
        cluster = RedisCluster.withReplica();
    }

    @Override
    String url() {
        return cluster.url();
    }
}
