package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** {@link SectionsContract} on a database, with what concerns its tables. */
public abstract class DatabaseSectionsContract extends SectionsContract {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** The URL of a database, which is empty at the first call with its name. */
    protected abstract String url(String name) throws SQLException;

    private String newUrl() throws SQLException {
        return url("sections_" + DATABASES.incrementAndGet());
    }

    @Override
    protected SectionPlace newPlace() throws SQLException {
        return new DatabaseSectionPlace(newUrl());
    }

    @Test
    void refusesNumbersInTransactions() throws SQLException {
        String url = newUrl();
        try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a");
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
        try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a")) {
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
        for (String loss : List.of("DELETE FROM keyed_section WHERE name = 'messages'", "DROP TABLE keyed_section")) {
            String url = newUrl();
            try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a")) {
                ids.keyed("messages").next(7, 5_000);
            }
            DatabaseRows.execute(url, loss);
            try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a")) {
                assertThatThrownBy(() -> ids.keyed("messages").next(7))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("The store of a sequence has lost rows: the record is missing,"
                                + " seq=messages, table=keyed_section on ");
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
        try (DistributedIds sections = open(new DatabaseSectionPlace(url), "a");
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
                        .hasMessageContaining("Set distributedid.keyed.backend=section, or use another sequence")
                        .hasMessageContaining("numbers-per-key.md");
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
        try (DistributedIds sections = open(new DatabaseSectionPlace(url), "a");
                DistributedIds rows = openRows(url)) {
            for (int round = 0; round < 20; round++) {
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
        try (DistributedIds ids = open(new DatabaseSectionPlace(url), "a")) {
            ids.keyed("messages").next(7, 5_000);
            last = ids.keyed("messages").next(8_000, 10_000)[9_999];
            ids.keyed("others").next(7);
        }
        DatabaseRows.execute(
                url,
                "INSERT INTO keyed_sequence (name, key_text, number)"
                        + " SELECT name, ' floor', MAX(max_number) FROM keyed_section"
                        + " WHERE name = 'messages' AND section >= 0 GROUP BY name",
                "DELETE FROM keyed_section WHERE name = 'messages'",
                "DELETE FROM keyed_sequence WHERE name = 'messages' AND key_text = ' @record'");

        try (DistributedIds ids = openRows(url)) {
            assertThat(ids.keyed("messages").next(7)).isGreaterThan(last);
            assertThat(ids.keyed("messages").next("new")).isGreaterThan(last);
            assertThatThrownBy(() -> ids.keyed("others").next(7)).isInstanceOf(IdConfigurationException.class);
        }
    }
}
