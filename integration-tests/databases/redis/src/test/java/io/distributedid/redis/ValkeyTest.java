package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Valkey says who it is in other words than Redis, and is noticed to be another server all the same. */
@Needs(Need.VALKEY)
class ValkeyTest {

    private static final int MANY = 200;

    /** Twice the default of max_distance. */
    private static final long JUMP = 20_000_000;

    private static final String COUNTER = "distributedid:{photos}";

    private final GivenIds given = new GivenIds();

    private RedisServer server;

    @AfterEach
    void stop() {
        given.assertNoneTwice();
    }

    @Test
    void aServerThatIsKilledIsRaisedOnce() {
        server = RedisServers.startValkey();
        assertThat(server.command("INFO", "server")).contains("server_name:valkey");
        try (DistributedIds first = RedisServers.client(server.url());
                DistributedIds second = RedisServers.client(server.url())) {
            given.take(first, MANY);
            given.take(second, MANY);
            long before = given.highest();
            server.kill9();
            server.restart();

            RedisServers.takeAll(given, first, MANY);
            RedisServers.takeAll(given, second, MANY);
            assertThat(given.highest()).isBetween(before + JUMP, before + JUMP + 100 * MANY);
        }
    }

    @Test
    void aReplicaThatLagsIsRaisedOnceItIsPromoted() {
        server = RedisServers.startValkey();
        RedisServer replica = server.replica(RedisServers.folder());
        Await.until("the replica follows", () -> replica.command("ROLE").contains("connected"));
        try (DistributedIds ids = RedisServers.client(server.url())) {
            given.take(ids, MANY);
            Await.until(
                    "the replica has the ids",
                    () -> server.command("GET", COUNTER).equals(replica.command("GET", COUNTER)));
            replica.pause();
            server.command("CLIENT", "KILL", "TYPE", "replica");
            given.take(ids, MANY);
        }
        long before = given.highest();
        server.kill9();
        replica.resume();
        try (DistributedIds ids = RedisServers.client(replica.url())) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("Only the master gives ids: " + replica.url() + " is a replica");
        }
        replica.command("REPLICAOF", "NO", "ONE");
        assertThat(Long.parseLong(replica.command("GET", COUNTER))).isLessThan(before);
        try (DistributedIds ids = RedisServers.client(replica.url())) {
            given.take(ids, MANY);
        }
        assertThat(given.highest()).isGreaterThan(before);
    }

    @Test
    void aClusterGivesIdsAndItsServersAloneDoNot() {
        server = RedisServers.startValkey(RedisServers.ofCluster());
        RedisServers.takeAllSlots(server);
        try (DistributedIds ids = RedisServers.client("redis-cluster://127.0.0.1:" + server.port())) {
            given.take(ids, MANY);
        }
        try (DistributedIds ids = RedisServers.client(server.url())) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("A cluster spreads keys over several servers: " + server.url()
                            + " belongs to a cluster. Write redis-cluster:// or rediss-cluster:// instead");
        }
    }
}
