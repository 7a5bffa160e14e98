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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A counter loses ids, and its server or its ledger tells two clients: no id is given twice. */
@Needs(Need.REDIS)
class RedisFenceTest {

    private static final int MANY = 200;

    /** Twice the default of max_distance. */
    private static final long JUMP = 20_000_000;

    private static final String COUNTER = "distributedid:{photos}";

    private static final String LEDGER = COUNTER + ":ledger";

    private final GivenIds given = new GivenIds();

    private RedisServer server;

    private DistributedIds first;

    private DistributedIds second;

    @BeforeEach
    void start() {
        server = RedisServers.start();
        first = RedisServers.client(server.url());
        second = RedisServers.client(server.url());
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
        given.assertNoneTwice();
    }

    private void takeFromBoth() {
        given.take(first, MANY);
        given.take(second, MANY);
    }

    private void bothAreRefusedFor(String reason) {
        given.takeUntilRefusedFor(first, MANY, reason);
        given.takeUntilRefusedFor(second, MANY, reason);
    }

    private void repaired() {
        first.admin().repair("photos", given.highest());
        RedisServers.takeAll(given, first, MANY);
        RedisServers.takeAll(given, second, MANY);
    }

    /** Without the ledger, a repair can't tell that it is the same id space. */
    private void repairedAndStartedAgain() {
        first.close();
        second.close();
        first = RedisServers.client(server.url());
        first.admin().repair("photos", given.highest());
        second = RedisServers.client(server.url());
        RedisServers.takeAll(given, first, MANY);
        RedisServers.takeAll(given, second, MANY);
    }

    @Test
    void everyIdIsDrawnUnderARow() {
        takeFromBoth();

        assertThat(server.command("HKEYS", LEDGER).split("\n"))
                .containsExactlyInAnyOrder(
                        "header.version", "header.state", "header.text", "version", "state", "number", "text");
        assertThat(server.command("HGET", LEDGER, "number")).isEqualTo(server.command("GET", COUNTER));
        assertThat(server.command("HGET", LEDGER, "text"))
                .matches("identity=run_id%20[0-9a-f]{40}%20replid%20[0-9a-f]{40} era=1");
    }

    @Test
    void bothClientsAreRefusedOnceAllKeysAreGone() {
        takeFromBoth();
        server.command("FLUSHALL");

        bothAreRefusedFor("A server has lost its counters, or another has taken its place: key=" + COUNTER + " on "
                + server.url() + " has no header in its ledger. To fix this, stop the clients and run: distributedid"
                + " repair photos; if no server has a header, add --above ID, the largest id in use");
        repairedAndStartedAgain();
    }

    @Test
    void bothClientsAreRefusedOnceTheCounterIsGone() {
        takeFromBoth();
        server.command("DEL", COUNTER);

        bothAreRefusedFor("A counter went back and may give ids again: key=" + COUNTER + " on " + server.url()
                + " id=missing now, but ids up to ");
        repaired();
    }

    @Test
    void aServerThatStartsAnewIsRaisedOnce() {
        takeFromBoth();
        long before = given.highest();
        server.restart();

        RedisServers.takeAll(given, first, MANY);
        long raised = given.highest();
        RedisServers.takeAll(given, second, MANY);
        assertThat(raised).isBetween(before + JUMP, before + JUMP + 100 * MANY);
        assertThat(given.highest()).as("one jump").isLessThan(before + JUMP + 100 * MANY);
    }

    /** To a process that starts, an older copy looks like a restart. */
    @Test
    void anOlderCopyGivesNoIdTwiceOnceItIsRepaired() throws Exception {
        takeFromBoth();
        server.saveData();
        RedisServers.takeAll(given, first, MANY);
        RedisServers.takeAll(given, second, MANY);
        first.close();
        second.close();
        server.restoreData();

        first = RedisServers.client(server.url());
        second = RedisServers.client(server.url());
        repaired();
    }

    @Test
    void aServerThatStartsAnewIsRefusedIfTheSettingsSaySo() {
        takeFromBoth();
        first.close();
        server.restart();

        first = RedisServers.client(server.url(), "failover", "refuse");
        given.takeUntilRefusedFor(
                first,
                MANY,
                "A server was replaced, and may lack the last ids: key=" + COUNTER + " on " + server.url()
                        + " is not the same server as before");
        first.admin().repair("photos", given.highest());
        RedisServers.takeAll(given, first, MANY);
    }

    @Test
    void aRestoredFileIsRaisedAboveWhatAClientKnows() {
        takeFromBoth();
        server.copyData();
        given.take(first, 10 * MANY);
        given.take(second, 10 * MANY);
        server.loseData();

        RedisServers.takeAll(given, first, MANY);
        RedisServers.takeAll(given, second, MANY);
    }

    /** The connections of both clients stay open, and each of them knows its own ids alone. */
    @Test
    void aMasterThatWasAReplicaMeanwhileIsRaised() {
        RedisServer replica = server.replica(RedisServers.folder());
        Await.until("the replica follows", () -> replica.command("ROLE").contains("connected"));
        takeFromBoth();
        Await.until(
                "the replica has the ids",
                () -> server.command("GET", COUNTER).equals(replica.command("GET", COUNTER)));
        server.command("ACL", "SETUSER", "default", "-psync", "-sync");
        server.command("CLIENT", "KILL", "TYPE", "replica");
        given.take(second, 10 * MANY);
        String before = server.command("GET", COUNTER);
        replica.command("REPLICAOF", "NO", "ONE");
        server.command("REPLICAOF", "127.0.0.1", Integer.toString(replica.port()));
        Await.until(
                "the former master has lost ids",
                () -> server.command("ROLE").contains("connected")
                        && Long.parseLong(server.command("GET", COUNTER)) < Long.parseLong(before));
        server.command("REPLICAOF", "NO", "ONE");

        RedisServers.takeAll(given, first, MANY);
        RedisServers.takeAll(given, second, MANY);
        assertThat(given.highest()).as("raised").isGreaterThan(JUMP);
    }

    @Test
    void ofTwoServersTheOneWhoseCounterIsGoneIsRaised() {
        RedisServer even = RedisServers.start();
        try (DistributedIds both = RedisServers.client(server.url() + "," + even.url(), "seq.photos.redis.key", "two");
                DistributedIds others =
                        RedisServers.client(server.url() + "," + even.url(), "seq.photos.redis.key", "two")) {
            GivenIds divided = new GivenIds();
            divided.take(both, MANY);
            divided.take(others, MANY);
            even.command("DEL", "two:{photos}");
            divided.take(both, 2 * MANY);
            divided.take(others, 2 * MANY);
            divided.assertNoneTwice();
            assertThat(divided.highest()).as("raised").isGreaterThan(JUMP);
            assertThat(Long.parseLong(even.command("GET", "two:{photos}"))).isEven();
        }
    }

    /** A server that starts anew is another one, and the other server knows that. */
    @Test
    void ofTwoServersTheOneThatLostAllAfterARestartIsRepaired() {
        RedisServer even = RedisServers.start();
        GivenIds divided = new GivenIds();
        String servers = server.url() + "," + even.url();
        try (DistributedIds both = RedisServers.client(servers, "seq.photos.redis.key", "two")) {
            divided.take(both, MANY);
            even.restart();
            Await.until("the server that was restarted is used, and raised", () -> {
                RedisServers.takeAll(divided, both, MANY);
                return Long.parseLong(even.command("GET", "two:{photos}")) > JUMP;
            });
        }
        even.command("FLUSHALL");

        try (DistributedIds operator = RedisServers.client(servers, "seq.photos.redis.key", "two")) {
            assertThat(operator.admin().check("photos"))
                    .filteredOn(result -> result.toString()
                            .contains("has no header in its ledger. To fix this, stop the clients and run:"
                                    + " distributedid repair photos"))
                    .isNotEmpty();
            operator.admin().repair("photos", 0);
        }
        try (DistributedIds both = RedisServers.client(servers, "seq.photos.redis.key", "two")) {
            long before = divided.highest();
            divided.take(both, MANY);
            assertThat(Long.parseLong(even.command("GET", "two:{photos}"))).isGreaterThan(before);
        }
        divided.assertNoneTwice();
    }

    @Test
    void anotherNumberingIsRefused() {
        takeFromBoth();
        RedisServer other = RedisServers.start();
        try (DistributedIds wrong = RedisServers.client(other.url() + "," + server.url())) {
            assertThatThrownBy(() -> wrong.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(
                            "Clients must number the servers alike: key=" + COUNTER + " on " + server.url()
                                    + " is used with increment=1 offset=1, but this client has increment=2 offset=2");
        }
        given.take(first, MANY);
    }
}
