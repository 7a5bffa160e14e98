package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DecodeTest {

    private static final Instant NOW = Instant.parse("2026-11-21T12:00:00Z");

    private final SettableClock clock = new SettableClock(NOW);

    @Test
    void anIdSaysWhenAndWhereItWasMade() {
        try (DistributedIds ids = ids(settings(20))) {
            ids.sequence("photos");
            ids.sequence("orders");
            clock.move(Duration.ofSeconds(3));
            long photo = ids.next("photos");
            long order = ids.next("orders");

            assertThat(ids.decode("photos", photo).time()).contains(NOW.plusSeconds(3));
            assertThat(ids.decode("orders", order).time()).contains(NOW.plusSeconds(3));
            assertThat(ids.decode("orders", order).field("worker")).isEqualTo(20);
            assertThat(ids.decode("photos", photo).bits().replace(" ", ""))
                    .hasSize(63)
                    .isEqualTo("0".repeat(Long.numberOfLeadingZeros(photo) - 1) + Long.toBinaryString(photo));
        }
    }

    @Test
    void aToolWithoutWorkerNumberDecodes() {
        try (DistributedIds ids = ids(Map.of("distributedid.backend", "snowflake"))) {
            DecodedId tweet = ids.decode("tweets", 382_500_178_340_355_880L);

            assertThat(tweet).hasToString("382500178340355880 (2026-11-21T11:59:09.026Z, worker=1, sequence=3880)");
            assertThat(ids.time("tweets").floor(Instant.parse("2026-11-21T11:59:09.026Z")))
                    .isEqualTo(382_500_178_340_355_880L >> 22 << 22);
            assertThat(ids.time("tweets").ceiling(Instant.parse("2026-11-21T11:59:09.026999Z")))
                    .isEqualTo(382_500_178_340_355_880L | (1 << 22) - 1);
            assertThatThrownBy(() -> ids.decode("tweets", -1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void theIdsOfAnIntervalLieBetweenItsFloors() {
        try (DistributedIds ids = ids(settings(21))) {
            ids.sequence("photos");
            clock.move(Duration.ofSeconds(1));
            long before = ids.next("photos");
            clock.move(Duration.ofSeconds(1));
            long from = ids.time("photos").floor(clock.instant());
            long inside = ids.next("photos");
            clock.move(Duration.ofSeconds(1));
            long until = ids.time("photos").floor(clock.instant());
            long after = ids.next("photos");

            assertThat(before).isLessThan(from);
            assertThat(inside).isBetween(from, until - 1);
            assertThat(after).isGreaterThanOrEqualTo(until);
        }
    }

    @Test
    void idsWithoutTimeHaveNoFloor() {
        try (DistributedIds ids = ids(settings(22))) {
            assertThatThrownBy(() -> ids.time("tags").floor(NOW))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The ids of a sequence must hold the time: seq=tags, allowed: sequences whose"
                            + " distributedid.backend is snowflake");
        }
    }

    /** A process remembers how far a worker number was used, so each test has its own. */
    private static Map<String, String> settings(int worker) {
        return Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", Integer.toString(worker),
                "distributedid.seq.orders.snowflake.layout", "seconds",
                "distributedid.seq.tags.backend", "sequence_table",
                "distributedid.seq.tags.sequence_table.servers", "jdbc:h2:mem:decode");
    }

    private DistributedIds ids(Map<String, String> settings) {
        return DistributedIds.builder().settings(settings).clock(clock).build();
    }
}
