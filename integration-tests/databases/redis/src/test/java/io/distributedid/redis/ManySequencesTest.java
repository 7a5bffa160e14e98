package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Many sequences are opened together, in few trips, as often as they are opened. */
@Needs(Need.REDIS)
class ManySequencesTest {

    private static final int MANY = 300;

    /** How often Redis has read from its connections. What is sent together may be read in a few turns. */
    private static long reads(RedisServer server) {
        return server.command("INFO", "stats")
                .lines()
                .filter(line -> line.startsWith("total_reads_processed:"))
                .mapToLong(line ->
                        Long.parseLong(line.substring(line.indexOf(':') + 1).strip()))
                .findFirst()
                .orElseThrow();
    }

    /** With all that is compared, and with what is noted of each other server. */
    @Test
    void aBlockIsOneTrip() {
        RedisServer odd = RedisServers.start();
        RedisServer even = RedisServers.start();
        try (DistributedIds ids = RedisServers.client(odd.url() + "," + even.url(), "block.timeout", "1m")) {
            GivenIds given = new GivenIds();
            given.take(ids, 1_000);
            long blocks = fetched(ids);
            long begin = reads(odd) + reads(even);
            given.take(ids, 4_000);

            // Each question about the number of reads is a read, too.
            assertThat(reads(odd) + reads(even) - begin).isLessThanOrEqualTo(fetched(ids) - blocks + 10);
            given.assertNoneTwice();
        }
    }

    private static long fetched(DistributedIds ids) {
        return ids.statistics("photos").orElseThrow().blocks().orElseThrow().fetched();
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "s" + i).toList();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void manyAreOpenedInFewTrips(boolean isNew) {
        RedisServer server = RedisServers.start();
        if (!isNew) {
            try (DistributedIds before = RedisServers.client(server.url(), "block.timeout", "1m")) {
                before.admin().prepare(names(MANY));
                before.sequence("alone");
                names(MANY).forEach(before::sequence);
            }
        }
        try (DistributedIds ids = RedisServers.client(server.url(), "block.timeout", "1m")) {
            ids.next("connected");
            long begin = reads(server);
            ids.sequence(isNew ? "new" : "alone");
            long alone = reads(server) - begin;
            begin = reads(server);
            ids.admin().prepare(names(MANY));
            names(MANY).forEach(ids::sequence);

            assertThat(reads(server) - begin).as("one takes " + alone).isLessThan(alone * MANY / 3);
            assertThat(ids.next("s7")).isPositive();
        }
    }

    private static String token(RedisServer server) {
        return server.command("HGET", "distributedid:{s7}:ledger", "header.text")
                .split(" ")[0];
    }

    @Test
    void twoClientsThatOpenManyAtOnceAgree() throws Exception {
        RedisServer odd = RedisServers.start();
        RedisServer even = RedisServers.start();
        try (DistributedIds first = RedisServers.client(odd.url() + "," + even.url(), "block.timeout", "1m");
                DistributedIds second = RedisServers.client(odd.url() + "," + even.url(), "block.timeout", "1m")) {
            Thread other = new Thread(() -> second.admin().prepare(names(MANY)));
            other.start();
            first.admin().prepare(names(MANY));
            other.join();

            GivenIds given = new GivenIds();
            for (int round = 0; round < 5; round++) {
                given.add(first.next("s7"));
                given.add(second.next("s7"));
            }
            given.assertNoneTwice();
            assertThat(token(odd)).startsWith("token=").isEqualTo(token(even));
        }
    }
}
