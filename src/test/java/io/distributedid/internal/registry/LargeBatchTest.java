package io.distributedid.internal.registry;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.SequenceStatistics;
import io.distributedid.testkit.CountedTrips;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The ids of a JDBC batch are taken at once. */
class LargeBatchTest {

    private static final int ROWS = 1_000;

    /** The first caller waits once; the block after it is reserved in the background. */
    @Test
    void theFirstBatchOfAThousandRowsWaitsForOneReservation() throws SQLException {
        CountedTrips server = new CountedTrips("jdbc:h2:mem:large_batch;DB_CLOSE_DELAY=-1");
        try (DistributedIds ids = open(server)) {
            ids.sequence("photos");
            server.take();

            long[] taken = ids.next("photos", ROWS);

            assertThat(taken).containsExactly(LongStream.rangeClosed(1, ROWS).toArray());
            SequenceStatistics statistics = ids.statistics("photos").orElseThrow();
            assertThat(statistics.waits()).isEqualTo(1);
            assertThat(statistics.blocks().orElseThrow().fetched()).isBetween(1L, 2L);
            assertThat(insert(taken)).hasSize(ROWS).containsOnly(1);
        }
    }

    @Test
    void aBatchTakesWhatIsThereAndReservesTheRest() throws SQLException {
        try (DistributedIds ids = open(new CountedTrips("jdbc:h2:mem:rest_of_batch;DB_CLOSE_DELAY=-1"))) {
            long first = ids.next("photos");

            assertThat(ids.next("photos", ROWS))
                    .doesNotHaveDuplicates()
                    .isSorted()
                    .contains(first + 1);
            assertThat(ids.statistics("photos").orElseThrow().waits()).isLessThanOrEqualTo(3);
        }
    }

    private static DistributedIds open(CountedTrips server) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                List.of(server),
                "distributedid.create_tables",
                true));
    }

    private static int[] insert(long[] ids) throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:");
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE photo (id BIGINT PRIMARY KEY, title VARCHAR(100))");
            try (PreparedStatement insert = connection.prepareStatement("INSERT INTO photo VALUES (?, 'sunset')")) {
                for (long id : ids) {
                    insert.setLong(1, id);
                    insert.addBatch();
                }
                return insert.executeBatch();
            }
        }
    }
}
