package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counter.RecordTable;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Together;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** A client had no right to the record when it connected. The operator grants it while the client runs. */
class RecordGrantTest {

    private String url;

    private String admin;

    @BeforeEach
    void create(TestInfo test) throws SQLException {
        url = "jdbc:h2:mem:" + test.getTestMethod().orElseThrow().getName();
        admin = url + ";DB_CLOSE_DELAY=-1;USER=sa;PASSWORD=sa";
        DatabaseRows.execute(
                admin,
                "CREATE TABLE sequence (name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL DEFAULT 0)",
                "CREATE USER app PASSWORD 'app'",
                "GRANT SELECT, INSERT, UPDATE ON sequence TO app");
    }

    @Test
    void aRunningClientStopsWhenItsCounterIsRetired() throws Exception {
        GivenIds given = new GivenIds();
        try (DistributedIds running = client(url)) {
            given.take(running, 15);
            grant();
            long last = retire("photos");

            RuntimeException refused = given.takeUntilRefused(running, 20);

            assertThat(refused).hasMessageContaining("photos").hasMessageContaining("retired");
            assertThat(given.highest()).isLessThanOrEqualTo(last);
        }
        given.assertNoneTwice();
    }

    @Test
    void aRunningClientOfSeveralCountersStopsToo() throws Exception {
        List<String> names =
                IntStream.range(0, 8).mapToObj(number -> "s" + number).toList();
        try (DistributedIds running = client(url)) {
            names.forEach(running::next);
            grant();
            Map<String, Long> last = new HashMap<>();
            for (String name : names) {
                last.put(name, retire(name));
            }

            // Each waits for its refusal.
            Together.run(names.size(), thread -> {
                String name = names.get(thread);
                RuntimeException refused = null;
                for (int id = 0; id < 30 && refused == null; id++) {
                    try {
                        assertThat(running.next(name)).isLessThanOrEqualTo(last.get(name));
                    } catch (DistributedIdException e) {
                        refused = e;
                    }
                }
                assertThat(refused).isNotNull();
                return true;
            });
        }
    }

    @Test
    void aRunningClientThatIsNotRetiredGoesOn() throws Exception {
        GivenIds given = new GivenIds();
        try (DistributedIds running = client(url)) {
            given.take(running, 15);
            grant();
            given.take(running, 50);
        }
        given.assertNoneTwice();
        assertThat(DatabaseRows.rows(
                        admin, "SELECT counter, server FROM distributedid_record ORDER BY counter, server"))
                .startsWith("sequence 0", "sequence/photos 0");
    }

    private void grant() throws SQLException {
        DatabaseRows.execute(
                admin,
                RecordTable.ddl(DatabaseProduct.H2, "sequence"),
                "GRANT SELECT, INSERT, UPDATE ON distributedid_record TO app");
    }

    private long retire(String sequence) {
        try (DistributedIds later = client(url)) {
            later.next(sequence);
            Collection<Long> last = later.retire(sequence).lastIds().values();
            return Collections.max(last);
        }
    }

    private static DistributedIds client(String url) {
        return GivenIds.sequenceTable(
                url,
                "sequence_table.user",
                "app",
                "sequence_table.password",
                "app",
                "create_tables",
                false,
                "block.min",
                10,
                "block.max",
                10);
    }
}
