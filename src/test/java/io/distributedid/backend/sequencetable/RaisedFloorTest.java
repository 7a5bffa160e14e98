package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two processes are promised different minimums at once; a third one hands the end of its block back. */
class RaisedFloorTest {

    private static final String URL = "jdbc:h2:mem:floor;DB_CLOSE_DELAY=-1";

    private static final String FLOOR =
            "SELECT last_id FROM distributedid_record WHERE server = 0 AND counter = 'sequence/photos'";

    private final CountedTrips slow = new CountedTrips(URL);

    private final GivenIds given = new GivenIds();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("floor");
    }

    @Test
    void aFloorIsNeverLowered() throws SQLException {
        AtomicBoolean isDone = new AtomicBoolean();
        try (DistributedIds low = GivenIds.sequenceTable(List.of(slow));
                DistributedIds high = GivenIds.sequenceTable(URL)) {
            try (DistributedIds holder = GivenIds.sequenceTable(URL, "block.min", 100, "block.max", 100)) {
                low.raiseAbove("photos", 1);
                high.raiseAbove("photos", 1);
                given.take(holder, 30);
                slow.before(trip -> {
                    boolean locks = trip.contains("FROM distributedid_record") && trip.endsWith("FOR UPDATE");
                    if (locks && isDone.compareAndSet(false, true)) {
                        high.raiseAbove("photos", 90);
                    }
                });
                low.raiseAbove("photos", 20);
            }

            assertThat(isDone).isTrue();
            assertThat(low.next("photos")).isGreaterThan(90);
            assertThat(DatabaseRows.number(URL, FLOOR)).isEqualTo(90);
        }
    }
}
