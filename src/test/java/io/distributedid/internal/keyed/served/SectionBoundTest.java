package io.distributedid.internal.keyed.served;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.process.Platform;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What the numbers of a key do not exceed, read by a process that takes no part. */
class SectionBoundTest {

    private static final String URL = "jdbc:h2:mem:section_bound;DB_CLOSE_DELAY=-1";

    private static final String MEMBERS = "SELECT name FROM distributedid WHERE name LIKE '%/member/%' AND text <> '-'";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("section_bound");
    }

    private static DistributedIds open(String timeout) {
        return DistributedIds.builder()
                .settings(Map.of(
                        "distributedid.keyed.backend",
                        "section",
                        "distributedid.keyed.section.store",
                        URL,
                        "distributedid.create_tables",
                        true,
                        "distributedid.timeout",
                        "25s",
                        "distributedid.keyed.section.lease",
                        "1m",
                        "distributedid.block.timeout",
                        timeout))
                .asService()
                .build();
    }

    private static List<String> rows(String sql) throws SQLException {
        return DatabaseRows.rows(URL, sql);
    }

    @Test
    void itIsZeroForANewSequenceAndThenTheBoundOfTheSection() throws SQLException {
        try (DistributedIds ids = open("2m")) {
            KeyedNumbers messages = (KeyedNumbers) ids.keyed("messages");
            assertThat(messages.bound("42", Duration.ofMinutes(1))).isZero();
            assertThat(rows("SELECT name FROM distributedid WHERE name LIKE '@keyed/%'"))
                    .isEmpty();

            assertThat(messages.next(42)).isEqualTo(1);
        }
        try (DistributedIds ids = open("2m")) {
            assertThat(((KeyedNumbers) ids.keyed("messages")).bound("42", Duration.ofMinutes(1)))
                    .isPositive();
            assertThat(rows(MEMBERS)).isEmpty();
        }
    }

    @Test
    void itIsNotWaitedForLongerThanTheCallerMay() {
        MemorySectionStore store = new MemorySectionStore();
        CountDownLatch answers = new CountDownLatch(1);
        store.beforeRead = answers::await;
        SectionOptions options = new SectionOptions(8, Duration.ofMinutes(1), "a", 1 << 20);
        try (Sections sections = new Sections(store, options, Platform.JVM)) {
            assertThatThrownBy(() -> sections.bound("messages", "42", System.nanoTime(), Duration.ofMillis(50)))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage("The sections were not read within 50 ms: seq=messages, memory");
            answers.countDown();
            assertThat(sections.bound("messages", "42", System.nanoTime(), Duration.ofMinutes(1)))
                    .isZero();
        }
    }

    /** Otherwise numbers that the start found to be given would be given again. */
    @Test
    void aStoreThatWentBackSinceIsNoticed() throws SQLException {
        try (DistributedIds ids = open("2m")) {
            assertThat(ids.keyed("messages").next(42)).isEqualTo(1);
        }
        try (DistributedIds ids = open("10s")) {
            KeyedNumbers messages = (KeyedNumbers) ids.keyed("messages");
            assertThat(messages.bound("42", Duration.ofMinutes(1))).isPositive();

            DatabaseRows.execute(
                    URL,
                    "UPDATE distributedid SET number = 0, version = '1-restored'"
                            + " WHERE name LIKE '@keyed/messages/%'");

            assertThatThrownBy(() -> messages.next(42)).hasMessageContaining("has lost rows, or was set back");
        }
    }
}
