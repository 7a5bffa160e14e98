package io.distributedid.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.StartedServers;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.curator.test.TestingServer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A server that goes, a client without rights, and nobody there at all. */
@ExtendWith(StartedServers.class)
class ZooKeeperOutageTest {

    @Test
    void idsAreGivenToTheEndOfTheWindowAndAgainWhenTheServerIsBack() throws Exception {
        TestingServer server = StartedServers.add(new TestingServer(true));
        try (DistributedIds ids = open(Map.of("zookeeper", server.getConnectString(), "window", "2s"), "10s")) {
            Set<Long> given = new HashSet<>();
            take(ids, given);
            server.stop();
            int before = given.size();
            assertThatThrownBy(() -> Await.until("ids end", () -> {
                        take(ids, given);
                        return false;
                    }))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "The lease has ended, and there is no new one yet: @worker/0 on /distributedid/workers on ")
                    .hasMessageContaining(server.getConnectString() + ". ");
            assertThat(given.size()).as("ids of the window's rest").isGreaterThan(before);
            server.restart();
            awaitNext(ids, given);
        }
    }

    @Test
    void aServerThatComesUpAMomentLaterIsWaitedFor() throws Exception {
        TestingServer server = StartedServers.add(new TestingServer(true));
        server.stop();
        Map<String, String> lease = Map.of("zookeeper", server.getConnectString(), "timeout", "500ms");
        try (DistributedIds ids = open(lease, "60s")) {
            Future<Long> id = CompletableFuture.supplyAsync(() -> ids.next("photos"));
            Await.until("the id is waited for", () -> {
                assertThat(id).isNotDone();
                return !ids.health().sequences().isEmpty();
            });
            server.restart();

            assertThat(id.get(60, TimeUnit.SECONDS)).isPositive();
        }
    }

    @Test
    void aServerThatIsNotThereFailsTheStart() {
        try (DistributedIds ids = open(Map.of("zookeeper", "127.0.0.1:1", "timeout", "200ms"))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith(
                            "The layout of a sequence can't be read: seq=photos: /distributedid/workers on 127.0.0.1:1 said: ");
        }
    }

    private static void take(DistributedIds ids, Set<Long> given) {
        assertThat(given.add(ids.next("photos"))).as("a new id").isTrue();
    }

    private static void awaitNext(DistributedIds ids, Set<Long> given) {
        AtomicReference<IdUnavailableException> refusal = new AtomicReference<>();
        Await.until("there is an id after the restart", () -> takes(ids, given, refusal), refusal::get);
    }

    private static boolean takes(DistributedIds ids, Set<Long> given, AtomicReference<IdUnavailableException> refusal) {
        try {
            take(ids, given);
            return true;
        } catch (IdUnavailableException e) {
            refusal.set(e);
            return false;
        }
    }

    private static DistributedIds open(Map<String, String> lease) {
        return open(lease, "100ms");
    }

    private static DistributedIds open(Map<String, String> lease, String timeout) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", "snowflake");
        settings.put("distributedid.snowflake.worker", "lease");
        settings.put("distributedid.snowflake.lease.store", "zookeeper");
        settings.put("distributedid.block.timeout", timeout);
        settings.put("distributedid.create_tables", "true");
        lease.forEach((name, value) -> settings.put(
                (name.equals("timeout") ? "distributedid." : "distributedid.snowflake.lease.") + name, value));
        return DistributedIds.create(settings);
    }
}
