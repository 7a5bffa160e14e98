package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The servers of a cluster fail over one by one, and each must be durable. */
@Needs(Need.REDIS)
class RedisClusterTest {

    private static final int MANY = 300;

    /** Its slot is one of the first master. */
    private static final String COUNTER = "distributedid:{photos}";

    private final GivenIds given = new GivenIds();

    private RedisCluster cluster;

    @BeforeEach
    void start() {
        cluster = RedisCluster.withReplica();
    }

    @Test
    void clientsFollowToAReplicaThatLags() {
        RedisServer replica = cluster.replica();
        try (DistributedIds first = RedisServers.client(cluster.url());
                DistributedIds second = RedisServers.client(cluster.url())) {
            given.take(first, MANY);
            given.take(second, MANY);
            assertThat(Integer.parseInt(cluster.first().command("CLUSTER", "KEYSLOT", COUNTER)))
                    .isLessThan(8192);
            replica.pause();
            cluster.first().command("CLIENT", "KILL", "TYPE", "replica");
            given.take(first, MANY);
            given.take(second, MANY);
            long before = given.highest();
            cluster.first().kill9();
            replica.resume();
            Await.until(
                    "the replica takes over",
                    () -> replica.command("CLUSTER", "FAILOVER", "TAKEOVER").equals("OK")
                            || replica.command("ROLE").startsWith("master"));
            Await.until("the replica is master", () -> replica.command("ROLE").startsWith("master"));
            assertThat(Long.parseLong(replica.command("GET", COUNTER)))
                    .as("the replica lags")
                    .isLessThan(before);

            RedisServers.takeAll(given, first, MANY);
            RedisServers.takeAll(given, second, MANY);
            assertThat(given.highest()).isBetween(before + 20_000_000, before + 20_000_000 + 100 * MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void eachServerMustBeDurable() {
        cluster.second().command("CONFIG", "SET", "appendfsync", "everysec");
        try (DistributedIds ids = RedisServers.client(cluster.url())) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(cluster.url() + " node=127.0.0.1:"
                            + cluster.second().port() + " has appendfsync=everysec");
        }
    }

    @Test
    void oneOfItsServersAloneIsRefused() {
        try (DistributedIds ids = RedisServers.client(cluster.first().url())) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("A cluster spreads keys over several servers: "
                            + cluster.first().url()
                            + " belongs to a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
    }
}
