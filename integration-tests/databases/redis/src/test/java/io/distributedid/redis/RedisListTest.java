package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
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

    @Test
    void anEmptyServerTakesThePlaceOfOneThatIsLost() {
        take(list(0, 1));
        servers.get(1).kill9();

        isRefusedFor(list(0, 2), "The counters belong to another list of servers: key=distributedid:{photos} on ");
        moveLost(list(0, 2), given.highest());

        take(list(0, 2));
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
