package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another list of servers: the clients are stopped, and each sequence is repaired with the new list. */
@Needs(Need.REDIS)
class RedisListTest {

    private static final int MANY = 200;

    private final GivenIds given = new GivenIds();

    private List<RedisServer> servers;

    @BeforeEach
    void start() {
        servers = Stream.generate(RedisServers::start).limit(3).toList();
    }

    @AfterEach
    void stop() {
        given.assertNoneTwice();
    }

    private String list(Integer... places) {
        return Stream.of(places).map(place -> servers.get(place).url()).collect(Collectors.joining(", "));
    }

    private void take(String list) {
        try (DistributedIds first = RedisServers.client(list);
                DistributedIds second = RedisServers.client(list)) {
            given.take(first, MANY);
            given.take(second, MANY);
        }
    }

    private static void repair(String list) {
        try (DistributedIds ids = RedisServers.client(list)) {
            ids.repair("photos", 0);
        }
    }

    private void isRefused(String list) {
        try (DistributedIds ids = RedisServers.client(list)) {
            assertThat(given.takeUntilRefused(ids, 1))
                    .hasMessageContaining("Clients must number the servers alike: key=distributedid:{photos} on ");
        }
    }

    /** Another list could number the other server differently: only the claims on all of them show that. */
    @Test
    void theFirstClientOfEachSequenceNeedsAllServers() {
        take(list(0, 1));
        servers.get(1).kill9();

        take(list(0, 1));
        try (DistributedIds ids = RedisServers.client(list(0, 1))) {
            assertThatThrownBy(() -> ids.next("albums"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("All servers must answer a client that claims a table of counters for the"
                            + " first time: key=distributedid:{albums}");
        }
    }

    @Test
    void aThirdServerJoins() {
        take(list(0, 1));
        isRefused(list(0, 1, 2));
        repair(list(0, 1, 2));

        take(list(0, 1, 2));
        isRefused(list(0, 1));
    }

    /** Its clients had not stopped. */
    @Test
    void aClientWithTheOldListGetsNoMoreIds() {
        try (DistributedIds old = RedisServers.client(list(0, 1))) {
            given.take(old, MANY);
            repair(list(0, 1, 2));
            take(list(0, 1, 2));
            given.takeUntilRefusedFor(old, MANY, "Clients must number the servers alike");
        }
        take(list(0, 1, 2));
    }

    /** What the other server knows of its ids may be old. */
    @Test
    void aServerThatIsLostIsLeftBehind() {
        take(list(0, 1));
        servers.get(1).kill9();
        assertThatThrownBy(() -> repair(list(0)))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The numbers were divided between more servers: key=distributedid:{photos} on "
                        + list(0) + " is claimed with increment=2 offset=1, not increment=1 offset=1")
                .hasMessageContaining("say the largest id in use: distributedid repair photos --above ID");
        try (DistributedIds ids = RedisServers.client(list(0))) {
            ids.repair("photos", given.highest());
        }

        take(list(0));
    }

    @Test
    void anEmptyServerTakesThePlaceOfOneThatIsLost() {
        take(list(0, 1));
        servers.get(1).kill9();
        repair(list(0, 2));

        take(list(0, 2));
    }

    @Test
    void theServersChangePlaces() {
        take(list(0, 1));
        isRefused(list(1, 0));
        repair(list(1, 0));

        take(list(1, 0));
    }
}
