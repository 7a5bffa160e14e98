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

/** Two processes are promised different minimums at once. */
class RaisedFloorTest {

    private static final String URL = "jdbc:h2:mem:floor;DB_CLOSE_DELAY=-1";

    private static final String NUMBER = "SELECT number FROM distributedid WHERE name = 'sequence/photos'";

    private final CountedTrips slow = new CountedTrips(URL);

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("floor");
    }

    @Test
    void aMinimumIsNeverLowered() throws SQLException {
        AtomicBoolean isDone = new AtomicBoolean();
        try (DistributedIds low = GivenIds.sequenceTable(List.of(slow));
                DistributedIds high = GivenIds.sequenceTable(URL)) {
            low.admin().raise("photos", 1);
            high.admin().raise("photos", 1);
            slow.before(trip -> {
                boolean locks = trip.contains("FROM distributedid ") && trip.endsWith("FOR UPDATE");
                if (locks && isDone.compareAndSet(false, true)) {
                    high.admin().raise("photos", 90);
                }
            });
            low.admin().raise("photos", 20);

            assertThat(isDone).isTrue();
            assertThat(low.next("photos")).isGreaterThan(90);
            assertThat(DatabaseRows.number(URL, NUMBER)).isGreaterThanOrEqualTo(90);
        }
    }
}
