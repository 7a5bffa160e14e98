package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sentinel promotes a replica that lacks the last ids: no client gets one of them again. */
@Needs(Need.REDIS)
class RedisFailoverTest {

    private static final int MANY = 300;

    /** Twice the default of max_distance. */
    private static final long JUMP = 20_000_000;

    private static final String COUNTER = "distributedid:{photos}";

    private final GivenIds given = new GivenIds();

    private RedisServer master;

    private RedisServer replica;

    private RedisServer sentinel;

    @BeforeEach
    void start() {
        master = RedisServers.start();
        replica = master.replica(RedisServers.folder());
        awaitRole("the replica follows", replica, role -> role.contains("connected"));
        sentinel = master.sentinel(RedisServers.folder());
        Await.until(
                "Sentinel knows the replica",
                () -> sentinel.command("SENTINEL", "REPLICAS", "ids").contains(Integer.toString(replica.port())));
    }

    /** A replica that is stopped gets nothing any more, and its master drops it. */
    private void stopReplication() {
        Await.until(
                "the replica has the ids",
                () -> master.command("GET", COUNTER).equals(replica.command("GET", COUNTER)));
        replica.pause();
        master.command("CLIENT", "KILL", "TYPE", "replica");
    }

    private void failOver() {
        master.kill9();
        replica.resume();
        awaitRole("Sentinel has promoted the replica", replica, role -> role.startsWith("master"));
    }

    private static void awaitRole(String what, RedisServer server, Predicate<String> role) {
        Await.until(what, () -> role.test(server.ask("ROLE")), () -> server.ask("ROLE"));
    }

    @Test
    void runningClientsFollowToAReplicaThatLags() {
        try (DistributedIds first = RedisServers.client(sentinel.sentinelUrl());
                DistributedIds second = RedisServers.client(sentinel.sentinelUrl())) {
            given.take(first, MANY);
            given.take(second, MANY);
            stopReplication();
            given.take(first, MANY);
            given.take(second, MANY);
            long before = given.highest();
            failOver();
            assertThat(Long.parseLong(replica.command("GET", COUNTER)))
                    .as("the replica lags")
                    .isLessThan(before);

            RedisServers.takeAll(given, first, MANY);
            RedisServers.takeAll(given, second, MANY);
            assertThat(given.highest()).isBetween(before + JUMP, before + JUMP + 100 * MANY);
        }
        given.assertNoneTwice();
    }

    /** The former master comes back as a replica, and is promoted again: to its clients it is another server. */
    @Test
    void clientsFollowToAndFro() {
        try (DistributedIds first = RedisServers.client(sentinel.sentinelUrl());
                DistributedIds second = RedisServers.client(sentinel.sentinelUrl())) {
            given.take(first, MANY);
            stopReplication();
            given.take(first, MANY);
            failOver();
            RedisServers.takeAll(given, second, MANY);
            master.restart();
            awaitRole(
                    "the former master follows",
                    master,
                    role -> role.startsWith("slave") && role.contains("connected"));
            RedisServers.takeAll(given, first, MANY);
            Await.until(
                    "Sentinel fails over",
                    () -> sentinel.command("SENTINEL", "FAILOVER", "ids").equals("OK"));
            awaitRole("the former master is promoted", master, role -> role.startsWith("master"));
            RedisServers.takeAll(given, first, MANY);
            RedisServers.takeAll(given, second, MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void aReplicaIsRefused() {
        try (DistributedIds ids = RedisServers.client(replica.url())) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("Only the master gives ids: " + replica.url()
                            + " is a replica. List its master, or the Sentinels that know it: redis-sentinel://");
        }
    }
}
