package io.distributedid.backend.nextid;

import static io.distributedid.backend.nextid.Shards.LAYOUT;
import static io.distributedid.backend.nextid.Shards.SHARD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.layout.IdLayout;
import io.distributedid.internal.layout.LayoutParser;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What the two forms make of a clock that does as it likes. */
class NextIdFormsTest {

    private static final Instant NOON = Instant.parse("2026-11-21T12:00:00Z");

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Shards.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @Test
    void instagramsOwnNumbers() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.INSTAGRAM, LAYOUT);
        Shards.setClock(connection, "forms", Shards.EPOCH.plusMillis(1_387_263_000));
        Shards.execute(connection, "SELECT setval('forms.next_id_seq', 5000)");

        assertThat(Shards.id(connection, "forms"))
                .isEqualTo(1_387_263_000L << 23 | 31_341 % 2_000 << 10 | 5_001 % 1_024);
    }

    @Test
    void aBurstInOneMillisecondGoesOnInTheNext() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        Shards.setClock(connection, "forms", NOON);

        List<Long> ids = Shards.ids(connection, "forms", 5_000);

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(LAYOUT.time().instant(ids.get(0))).isEqualTo(NOON);
        assertThat(LAYOUT.time().instant(ids.get(4_999))).isBetween(NOON.plusMillis(4), NOON.plusMillis(5));
        assertThat(ids)
                .allSatisfy(id -> assertThat(LAYOUT.decode(id).field("shard")).isEqualTo(SHARD));
    }

    @Test
    void inInstagramsFormItRepeatsIds() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.INSTAGRAM, LAYOUT);
        Shards.setClock(connection, "forms", NOON);

        List<Long> ids = Shards.ids(connection, "forms", 5_000);

        assertThat(new HashSet<>(ids)).hasSize(1_024);
    }

    @Test
    void aClockThatWentBackIsNotFollowedUntilItHasCaughtUp() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        List<Long> ids = backAndForth();

        assertThat(ids).isSorted().doesNotHaveDuplicates();
        assertThat(LAYOUT.time().instant(ids.get(1))).isBetween(NOON, NOON.plusMillis(1));
        Shards.setClock(connection, "forms", NOON.plusSeconds(1));
        assertThat(LAYOUT.time().instant(Shards.id(connection, "forms"))).isEqualTo(NOON.plusSeconds(1));
    }

    @Test
    void inInstagramsFormItRepeatsIdsToo() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.INSTAGRAM, LAYOUT);
        List<Long> ids = backAndForth();

        assertThat(new HashSet<>(ids)).hasSize(ids.size() - 1);
    }

    /** One id at noon, those of the hour before for as long as the counter takes to come round, and one at noon. */
    private List<Long> backAndForth() throws SQLException {
        Shards.setClock(connection, "forms", NOON);
        List<Long> ids = new ArrayList<>(Shards.ids(connection, "forms", 1));
        Shards.setClock(connection, "forms", NOON.minus(Duration.ofHours(1)));
        ids.addAll(Shards.ids(connection, "forms", 1_023));
        Shards.setClock(connection, "forms", NOON);
        ids.addAll(Shards.ids(connection, "forms", 1));
        return ids;
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "time(ms):41, shard:12, sequence:10",
                "time(10ms):38, sequence:8, shard:16",
                "time(s):31, shard:11, sequence:20"
            })
    void anyLayoutOfTimeShardAndSequence(String text) throws SQLException {
        IdLayout layout = LayoutParser.parse(text, Instant.parse("2024-01-01T00:00:00Z"));
        for (NextIdForm form : NextIdForm.values()) {
            Shards.createWithClock(connection, "forms", form, layout);
            Shards.setClock(connection, "forms", NOON);
            List<Long> ids = Shards.ids(connection, "forms", 3);

            assertThat(ids).doesNotHaveDuplicates();
            for (long id : ids) {
                assertThat(layout.decode(id).field("shard")).isEqualTo(SHARD);
            }
            assertThat(layout.time().instant(ids.get(0))).isEqualTo(NOON);
            // The counter of a tick may begin at its last number.
            assertThat(layout.time().instant(ids.get(2)))
                    .isBetween(NOON, NOON.plus(layout.time().unit()));
        }
    }

    @Test
    void manyAtOnceGoOnFromEachOther() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            Shards.setClock(connection, "forms", NOON.plusMillis(i % 7));
            ids.addAll(Shards.ids(connection, "forms", 2));
            ids.addAll(Shards.numbers(connection, "SELECT forms.next_id(" + 100 * i + ")"));
            ids.addAll(Shards.numbers(connection, "SELECT forms.next_id(-5000)"));
            ids.addAll(Shards.numbers(connection, "SELECT forms.next_id(NULL)"));
        }

        assertThat(ids).hasSize(30 * 2 + 100 * 435).isSorted().doesNotHaveDuplicates();
        assertThat(ids).allMatch(id -> ((id >> 10) & 8191) == SHARD);
    }

    @Test
    void theLowestBitsAreAnythingAtALowRate() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        List<Long> remainders = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Shards.setClock(connection, "forms", NOON.plusSeconds(i));
            remainders.add(Shards.id(connection, "forms") % 4);
        }

        assertThat(remainders).contains(0L, 1L, 2L, 3L);
    }

    @ParameterizedTest
    @EnumSource
    void aClockOutsideOfTheLayoutsTimeIsRefused(NextIdForm form) throws SQLException {
        Shards.createWithClock(connection, "forms", form, LAYOUT);
        for (Instant outside : List.of(Shards.EPOCH.minusMillis(1), Shards.EPOCH.plusMillis(1L << 40))) {
            Shards.setClock(connection, "forms", outside);

            assertThatThrownBy(() -> Shards.id(connection, "forms"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("The server's clock must be in the time range of the ids: clock=")
                    .hasMessageContaining("allowed: time(ms):40, shard:13, sequence:10 from"
                            + " 2011-08-24T21:07:01.721Z until 2046");
        }
        Shards.setClock(connection, "forms", Shards.EPOCH.plusMillis((1L << 40) - 1));
        assertThat(LAYOUT.time().instant(Shards.id(connection, "forms")))
                .isEqualTo(Shards.EPOCH.plusMillis((1L << 40) - 1));
    }

    @Test
    void theLastMillisecondOfTheLayoutEndsWithAnError() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        Shards.setClock(connection, "forms", Shards.EPOCH.plusMillis((1L << 40) - 1));

        assertThatThrownBy(() -> Shards.ids(connection, "forms", 1_025))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("is out of bounds for sequence \"next_id_seq\"");
    }

    @Test
    void valuesThatSessionsKeepForThemselvesAreNotGivenTwice() throws SQLException {
        Shards.createWithClock(connection, "forms", NextIdForm.HARDENED, LAYOUT);
        Shards.setClock(connection, "forms", NOON);
        Shards.execute(connection, "ALTER SEQUENCE forms.next_id_seq CACHE 50");
        List<Long> ids = new ArrayList<>();
        try (Connection other = Shards.connect()) {
            ids.addAll(Shards.ids(other, "forms", 10));
            for (int i = 0; i < 20; i++) {
                ids.addAll(Shards.ids(connection, "forms", 300));
                Shards.setClock(connection, "forms", NOON.plusMillis(i));
                ids.addAll(Shards.ids(other, "forms", 7));
            }
        }

        assertThat(ids).doesNotHaveDuplicates();
    }
}
