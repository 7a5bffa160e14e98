package io.distributedid.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.RedisServer;
import org.junit.jupiter.api.Test;

/** Somebody sets one of two counters far ahead by mistake. No client follows it, and no ledger notes it. */
@Needs(Need.REDIS)
class RedisFarAheadTest {

    private static final String COUNTER = "distributedid:{photos}";

    private static final String LEDGER = COUNTER + ":ledger";

    /** More than a thousand times {@code max_distance} ahead. */
    private static final long WRONG = 5_000_000_000_000L;

    private final RedisServer odd = RedisServers.start();

    private final RedisServer even = RedisServers.start();

    private final String both = odd.url() + ", " + even.url();

    private final GivenIds given = new GivenIds();

    /** Sets the counter of the second server, and returns what its row said before. */
    private String setFarAhead() {
        String noted = even.command("HGET", LEDGER, "number");
        even.command("SET", COUNTER, Long.toString(WRONG));
        return noted;
    }

    @Test
    void aClientThatRunsGoesOnWithTheOtherServerAndNotesNothing() {
        try (DistributedIds ids = RedisServers.client(both)) {
            given.take(ids, 100);
            String noted = setFarAhead();

            given.take(ids, 200);

            assertThat(given.highest()).isLessThan(1_000);
            assertThat(even.command("HGET", LEDGER, "number")).isEqualTo(noted);
            assertThat(even.command("GET", COUNTER)).isEqualTo(Long.toString(WRONG));
            even.command("SET", COUNTER, noted);
        }
        try (DistributedIds ids = RedisServers.client(both)) {
            given.take(ids, 100);
            assertThat(given.highest()).as("nothing is left of it").isLessThan(1_000);
        }
        given.assertNoneTwice();
    }

    @Test
    void theServerIsRefusedAlsoIfItAnswersAlone() {
        try (DistributedIds ids = RedisServers.client(both)) {
            given.take(ids, 100);
            setFarAhead();
        }
        odd.close();
        try (DistributedIds ids = RedisServers.client(both)) {
            assertThat(given.takeUntilRefused(ids, 10))
                    .hasMessageContaining("A counter is so far ahead of all known ids that it must be wrong: key="
                            + COUNTER + " on " + even.url() + " id=" + WRONG + ", allowed: up to ");
        }
    }
}
