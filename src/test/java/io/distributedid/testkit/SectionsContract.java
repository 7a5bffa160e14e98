package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.KeyedSequence;
import io.distributedid.internal.keyed.served.SectionSpread;
import io.distributedid.internal.keyed.source.KeyHash;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/**
 * What numbers per key from memory promise, on every database that stores their sections. The simulation shows
 * processes that come and go.
 */
public abstract class SectionsContract {

    private static final String SECTIONS = "distributedid.keyed.section.sections";

    private static final String LEASE = "distributedid.keyed.section.lease";

    /** A lease that does not end during a test, unless the test gives one. */
    private static Map<String, Object> settings(Map<String, Object> store, String address, Object... more) {
        Map<String, Object> settings = new HashMap<>(store);
        settings.put("distributedid.keyed.backend", "section");
        settings.put("distributedid.keyed.section.address", address);
        settings.put(LEASE, "1m");
        settings.put("distributedid.timeout", "25s");
        settings.put(SECTIONS, "8");
        settings.put("distributedid.block.timeout", "45s");
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i].toString(), more[i + 1]);
        }
        return settings;
    }

    /** Settings may replace those that the tests have in common. */
    protected static DistributedIds open(SectionPlace place, String address, Object... more) {
        return SectionPlace.serving(settings(place.settings(), address, more));
    }

    private static long owned(SectionPlace place, String address) throws Exception {
        return place.owners().values().stream().filter(address::equals).count();
    }

    @Test
    void numbersOfAKeyBeginAtOneAndAscend() throws Exception {
        try (DistributedIds ids = open(newPlace(), "a")) {
            KeyedSequence messages = ids.keyed("messages");

            assertThat(messages.current(7)).isZero();
            assertThat(messages.next(7)).isEqualTo(1);
            assertThat(messages.next("7")).isEqualTo(2);
            assertThat(messages.next("seven")).isEqualTo(1);
            assertThat(messages.next("07")).as("a text").isEqualTo(1);
            assertThat(messages.next(7, 3)).containsExactly(3, 4, 5);
            assertThat(messages.current("7")).isEqualTo(5);
            assertThat(messages.next(Long.MAX_VALUE)).isEqualTo(1);
            assertThat(messages.next("9223372036854775807")).isEqualTo(2);
            assertThat(messages.next("9223372036854775808")).as("a text").isEqualTo(1);
            assertThat(ids.keyed("Messages").next(7)).as("another sequence").isEqualTo(1);
        }
    }

    @Test
    void aKeyMayHaveMoreNumbersThanAStep() throws Exception {
        try (DistributedIds ids = open(newPlace(), "a")) {
            KeyedSequence messages = ids.keyed("messages");
            for (int i = 1; i <= 5; i++) {
                assertThat(messages.next(7, 10_000)).endsWith(10_000L * i);
            }
            for (int i = 1; i <= 15_000; i++) {
                assertThat(messages.next(7)).isEqualTo(50_000 + i);
            }
        }
    }

    @Test
    void afterACleanStopAnotherProcessGoesOnAboveWithoutAWait() throws Exception {
        SectionPlace place = newPlace();
        try (DistributedIds first = open(place, "a")) {
            assertThat(first.keyed("messages").next(7, 100)).endsWith(100);
        }
        assertThat(owned(place, "")).isEqualTo(8);
        try (DistributedIds second = open(place, "b")) {
            KeyedSequence messages = second.keyed("messages");
            assertThat(messages.current(7)).as("an upper bound").isGreaterThanOrEqualTo(100);
            assertThat(messages.next(7)).isGreaterThan(100).isLessThanOrEqualTo(10_001);
            assertThat(messages.next(8)).as("all keys of a section jump").isGreaterThan(1);
        }
    }

    /** Without the hand-over, the second process would wait for a minute, and fail. */
    @Test
    void twoHundredSectionsAreHandedOverAndClaimed() throws Exception {
        SectionPlace place = newPlace();
        for (String address : List.of("a", "b")) {
            try (DistributedIds ids = open(place, address, SECTIONS, "200")) {
                KeyedSequence messages = ids.keyed("messages");
                for (int i = 0; i < 200; i++) {
                    assertThat(messages.next(i * 1024L)).isPositive();
                }
                assertThat(owned(place, address)).isEqualTo(200);
            }
            assertThat(owned(place, "")).isEqualTo(200);
        }
    }

    @Test
    void theWrongProcessNamesTheRightOne() throws Exception {
        SectionPlace place = newPlace();
        Set<String> both = Set.of("http://a:8080", "http://b:8080");
        // The section does not move to the other one.
        String right = SectionSpread.owner(0, both);
        String wrong =
                both.stream().filter(each -> !each.equals(right)).findFirst().orElseThrow();
        try (DistributedIds first = open(place, right, SECTIONS, "1");
                DistributedIds second = open(place, wrong, SECTIONS, "1")) {
            first.keyed("messages").next(7);

            assertThatThrownBy(() -> second.keyed("messages").next(7))
                    .isInstanceOfSatisfying(
                            IdStandbyException.class,
                            e -> assertThat(e.active()).isEqualTo(right))
                    .hasMessageContaining("seq=messages key=7 section=0 owner=" + right);
        }
    }

    @Test
    void whileTheStoreIsAwayNumbersEndWithTheLeaseAndGoOnOnceItIsBack() throws Exception {
        try (SectionPlace.Way way = newPlace().way();
                DistributedIds ids = SectionPlace.serving(settings(
                        way.settings(),
                        "a",
                        LEASE,
                        "1s",
                        "distributedid.timeout",
                        "500ms",
                        "distributedid.block.timeout",
                        "1500ms"))) {
            KeyedSequence messages = ids.keyed("messages");
            awaitNumberAbove(0, messages);
            long before = messages.next(7);
            way.cut();
            assertThatThrownBy(() -> Await.until("numbers end", () -> messages.next(7) == 0))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("No number can be issued: seq=messages key=7,")
                    .hasMessageContaining(way.error());
            way.mend();
            awaitNumberAbove(before, messages);
        }
    }

    /** A client that forgot to end its transaction holds the row of one section for longer than its lease. */
    @Test
    void aLockOnTheRowOfOneSectionStopsNoOther() throws Exception {
        SectionPlace place = newPlace();
        try (DistributedIds ids = open(
                        place,
                        "a",
                        LEASE,
                        "1s",
                        "distributedid.timeout",
                        "500ms",
                        "distributedid.block.timeout",
                        "1500ms");
                Connection holder = DriverManager.getConnection(place.url())) {
            KeyedSequence messages = ids.keyed("messages");
            awaitNumberAbove(0, messages, 0);
            holder.setAutoCommit(false);
            try (Statement statement = holder.createStatement()) {
                assertThat(statement.executeUpdate(
                                "UPDATE distributedid SET state = state WHERE name = '@keyed/messages/"
                                        + KeyHash.section(0, 8) + "'"))
                        .isEqualTo(1);
            }

            assertThatThrownBy(() -> Await.until("its lease is over", () -> messages.next(0) == 0))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "No number can be issued: seq=messages key=0, the lease of its section is over,"
                                    + " and is not renewed yet");
            for (int key = 1; key < 5; key++) {
                awaitNumberAbove(0, messages, key * 1024L);
            }
            holder.rollback();
            awaitNumberAbove(1, messages, 0);
        }
    }

    private static void awaitNumberAbove(long before, KeyedSequence messages) {
        awaitNumberAbove(before, messages, 7);
    }

    private static void awaitNumberAbove(long before, KeyedSequence messages, long key) {
        Await.until("it goes on", () -> {
            try {
                return messages.next(key) > before;
            } catch (IdUnavailableException | IdConfigurationException e) {
                return false;
            }
        });
    }

    @Test
    void aStoreThatWasSetBackIsNoticed() throws Exception {
        SectionPlace place = newPlace();
        try (DistributedIds ids = open(place, "a", SECTIONS, "1")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(7, 10_000);
            messages.next(7);
            place.setBack(0, 5000);

            Await.until("it is noticed", () -> {
                try {
                    return messages.next(7) < 0;
                } catch (IdConfigurationException e) {
                    assertThat(e)
                            .hasMessageContaining("The store of a sequence has lost rows, or was set back, and numbers"
                                    + " could repeat: row=@keyed/messages/0 version=")
                            .hasMessageContaining(" number=5000, it was version=");
                    return true;
                }
            });
            place.raise(0, 1_000_000);
            awaitNumberAbove(1_000_000, messages);
        }
    }

    @Test
    void anEmptiedStoreGivesNoNumbers() throws Exception {
        SectionPlace place = newPlace();
        try (DistributedIds ids = open(place, "a")) {
            KeyedSequence messages = ids.keyed("messages");
            messages.next(7);
            place.empty();

            Await.until("it is noticed", () -> {
                try {
                    return messages.next(7) < 0;
                } catch (IdConfigurationException e) {
                    assertThat(e)
                            .hasMessageContaining("The store of a sequence has lost rows, or was set back, and numbers"
                                    + " could repeat: row=@keyed/messages");
                    return true;
                }
            });
        }
    }

    @Test
    void refusesAnotherNumberOfSections() throws Exception {
        SectionPlace place = newPlace();
        try (DistributedIds ids = open(place, "a")) {
            ids.keyed("messages").next(7);
        }
        try (DistributedIds ids = open(place, "a", SECTIONS, "9")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The number of sections must not change, since keys would begin at 1 again:"
                            + " seq=messages,")
                    .hasMessageContaining("is recorded with 8, but distributedid.keyed.section.sections=9."
                            + " Set it to 8, or use another sequence");
        }
    }

    @Test
    void aSuspendedProcessGivesNoNumbersAndGoesOnAboveThem() throws Exception {
        try (DistributedIds ids = open(newPlace(), "a", LEASE, "1s", "distributedid.timeout", "500ms")) {
            KeyedSequence messages = ids.keyed("messages");
            long before = messages.next(7, 10)[9];
            ids.suspend();
            ids.resume();
            assertThat(messages.next(7)).isGreaterThan(before);
        }
    }

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    private String newUrl() throws SQLException {
        return url("sections_" + DATABASES.incrementAndGet());
    }

    private SectionPlace newPlace() throws SQLException {
        return new SectionPlace(newUrl());
    }

    @Test
    void refusesNumbersInTransactions() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(new SectionPlace(url), "a");
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> ids.keyed("messages").next(7, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("distributedid.keyed.backend=section")
                    .hasMessageContaining("Leave out the connection, or use another sequence");
        }
    }

    @Test
    void refusesASequenceThatCountsByRows() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = DistributedIds.create(
                Map.of("distributedid.keyed.row.server", url, "distributedid.create_tables", "true"))) {
            ids.keyed("messages").next(7);
        }
        try (DistributedIds ids = open(new SectionPlace(url), "a")) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=messages has rows of keys already, table=keyed_sequence."
                            + " Set distributedid.keyed.backend=row, or use another sequence");
            assertThat(ids.keyed("others").next(7)).isEqualTo(1);
        }
    }

    /** A process that starts knows nothing of the numbers that were given. */
    @Test
    void refusesASequenceWhoseRowsAreGone() throws SQLException {
        for (String loss :
                List.of("DELETE FROM distributedid WHERE name LIKE '@keyed/messages%'", "DROP TABLE distributedid")) {
            String url = newUrl();
            try (DistributedIds ids = open(new SectionPlace(url), "a")) {
                ids.keyed("messages").next(7, 5_000);
            }
            DatabaseRows.execute(url, loss);
            try (DistributedIds ids = open(new SectionPlace(url), "a")) {
                assertThatThrownBy(() -> ids.keyed("messages").next(7))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("row=@keyed/messages is missing, seq=messages, distributedid on ");
                assertThat(ids.keyed("others").next(7)).isEqualTo(1);
            }
        }
    }

    private static DistributedIds openRows(String url) {
        return DistributedIds.create(PatientSettings.of(
                Map.of("distributedid.keyed.row.server", url, "distributedid.create_tables", "true")));
    }

    @Test
    void rowsRefuseASequenceThatCountsBySections() throws SQLException {
        String url = newUrl();
        try (DistributedIds sections = open(new SectionPlace(url), "a");
                DistributedIds rows = openRows(url);
                Connection connection = DriverManager.getConnection(url)) {
            connection.setAutoCommit(false);
            sections.keyed("messages").next(7, 5_000);

            for (ThrowingCallable call : List.<ThrowingCallable>of(
                    () -> rows.keyed("messages").next(7),
                    () -> rows.keyed("messages").current(7))) {
                assertThatThrownBy(call)
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("seq=messages is numbered from memory")
                        .hasMessageContaining(
                                "Take them from the issuing service that gives them, or use another sequence")
                        .hasMessageContaining("numbers-per-key-sections.md");
            }
            assertThatThrownBy(() -> rows.keyed("messages").next(7, connection))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("seq=messages is numbered from memory");
            connection.rollback();
            assertThat(rows.keyed("others").next(7)).isEqualTo(1);
            assertThat(sections.keyed("messages").next(7)).isEqualTo(5_001);
        }
    }

    /** One process of each way begins a sequence that nobody has used. */
    @Test
    void rowsAndSectionsThatBeginTogetherNeverBothGiveNumbers() throws Exception {
        String url = newUrl();
        try (DistributedIds sections = open(new SectionPlace(url), "a");
                DistributedIds rows = openRows(url)) {
            for (int round = 0; round < 3; round++) {
                String sequence = "round" + round;
                CyclicBarrier together = new CyclicBarrier(2);
                List<Boolean> given = Together.run(2, thread -> {
                    DistributedIds ids = thread == 0 ? sections : rows;
                    together.await();
                    try {
                        return ids.keyed(sequence).next(7) > 0;
                    } catch (IdConfigurationException e) {
                        assertThat(e).hasMessageStartingWith("The numbers of a sequence must all be taken in one way");
                        return false;
                    }
                });

                assertThat(given).as(sequence).containsExactlyInAnyOrder(true, false);
            }
        }
    }

    /** As numbers-per-key.md says, while all processes are stopped. */
    @Test
    void aSequenceGoesOverFromSectionsToRows() throws SQLException {
        String url = newUrl();
        long last;
        try (DistributedIds ids = open(new SectionPlace(url), "a")) {
            ids.keyed("messages").next(7, 5_000);
            last = ids.keyed("messages").next(8_000, 10_000)[9_999];
            ids.keyed("others").next(7);
        }
        DatabaseRows.execute(
                url,
                "INSERT INTO keyed_sequence (name, key_text, number)"
                        + " SELECT 'messages', ' floor', MAX(number) FROM distributedid"
                        + " WHERE name LIKE '@keyed/messages/%'",
                "DELETE FROM distributedid WHERE name LIKE '@keyed/messages%'",
                "DELETE FROM keyed_sequence WHERE name = 'messages' AND key_text = ' @record'");

        try (DistributedIds ids = openRows(url)) {
            assertThat(ids.keyed("messages").next(7)).isGreaterThan(last);
            assertThat(ids.keyed("messages").next("new")).isGreaterThan(last);
            assertThatThrownBy(() -> ids.keyed("others").next(7)).isInstanceOf(IdConfigurationException.class);
        }
    }
}
