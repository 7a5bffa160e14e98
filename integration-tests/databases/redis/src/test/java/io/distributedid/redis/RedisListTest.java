package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Another list of servers: the clients are stopped, and each sequence is moved to the new list. */
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

    private static void move(String from, String to) {
        try (DistributedIds ids = RedisServers.client(to)) {
            ids.admin().move("photos", CounterMove.from(RedisServers.settings(from)));
        }
    }

    /** The operator knows how far the lost server had come. */
    private void moveLost(String list, long above) {
        try (DistributedIds ids = RedisServers.client(list)) {
            ids.admin()
                    .move(
                            "photos",
                            new CounterMove(
                                    CounterMove.Kind.LOST, List.of(), above, Set.of(), false, jump -> {}, token -> {}));
        }
    }

    private void isRefused(String list) {
        isRefusedFor(list, "Clients must number the servers alike: key=distributedid:{photos} on ");
    }

    private void isRefusedFor(String list, String reason) {
        try (DistributedIds ids = RedisServers.client(list)) {
            assertThat(given.takeUntilRefused(ids, 1)).hasMessageContaining(reason);
        }
    }

    /** Another list could number the other server differently: only the headers on all of them show that. */
    @Test
    void theFirstClientOfEachSequenceNeedsAllServers() {
        take(list(0, 1));
        servers.get(1).kill9();

        take(list(0, 1));
        try (DistributedIds ids = RedisServers.client(list(0, 1))) {
            assertThatThrownBy(() -> ids.next("albums"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("All servers must answer a client that uses a counter for the first time:"
                            + " key=distributedid:{albums}, no answer from ");
        }
    }

    @Test
    void aThirdServerJoins() {
        take(list(0, 1));
        isRefused(list(0, 1, 2));
        move(list(0, 1), list(0, 1, 2));

        take(list(0, 1, 2));
        isRefused(list(0, 1));
    }

    /** Its clients had not stopped. */
    @Test
    void aClientWithTheOldListGetsNoMoreIds() {
        try (DistributedIds old = RedisServers.client(list(0, 1))) {
            given.take(old, MANY);
            move(list(0, 1), list(0, 1, 2));
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

        assertThatThrownBy(() -> move(list(0, 1), list(0)))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(servers.get(1).url());
        moveLost(list(0), given.highest());

        take(list(0));
    }

    @Test
    void anEmptyServerTakesThePlaceOfOneThatIsLost() {
        take(list(0, 1));
        servers.get(1).kill9();

        isRefusedFor(list(0, 2), "The counters belong to a list of other servers: key=distributedid:{photos} on ");
        moveLost(list(0, 2), given.highest());

        take(list(0, 2));
    }

    @Test
    void theServersChangePlaces() {
        take(list(0, 1));

        isRefused(list(1, 0));
        move(list(0, 1), list(1, 0));

        take(list(1, 0));
    }

    @Test
    void aCounterGoesOnUnderAnotherKey() {
        take(list(0, 1));
        try (DistributedIds ids = RedisServers.client(list(0, 1), "redis.key", "other")) {
            ids.admin().move("photos", CounterMove.from(RedisServers.settings(list(0, 1))));
            given.take(ids, MANY);
        }

        isRefusedFor(list(0, 1), "The counters were moved away: key=distributedid:{photos} on ");
    }
}
