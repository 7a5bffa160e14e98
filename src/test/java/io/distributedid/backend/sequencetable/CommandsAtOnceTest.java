package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two commands of operators change one counter at once: one between a look of the other and its first change. */
class CommandsAtOnceTest {

    private static final String URL = "jdbc:h2:mem:at_once;DB_CLOSE_DELAY=-1";

    private static final String NEXT = "jdbc:h2:mem:at_once_next;DB_CLOSE_DELAY=-1";

    private static final String BEATEN = "Another command or client was faster: table=sequence on data source 1";

    private final CountedTrips slow = new CountedTrips(URL);

    private final GivenIds given = new GivenIds();

    private final AtomicBoolean isDone = new AtomicBoolean();

    @FunctionalInterface
    private interface Command {

        void run() throws SQLException;
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("at_once", "at_once_next");
        assertThat(isDone).isTrue();
        given.assertNoneTwice();
    }

    /** Runs a command when the next one on the slow connection has looked, and before it closes the counters. */
    private void meanwhile(Command command) {
        slow.before(trip -> {
            if (trip.startsWith("MERGE INTO distributedid ") && isDone.compareAndSet(false, true)) {
                command.run();
            }
        });
    }

    private static void moveAway() {
        Map<String, Object> old =
                Map.of("distributedid.backend", "sequence_table", "distributedid.sequence_table.servers", URL);
        try (DistributedIds next = GivenIds.sequenceTable(NEXT)) {
            next.admin().move("photos", CounterMove.from(old));
        }
    }

    @Test
    void aRepairIsRefusedIfAnotherOneEndedMeanwhile() {
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds repairing = GivenIds.sequenceTable(List.of(slow))) {
            given.take(old, 15);
            meanwhile(() -> {
                old.admin().repair("photos", 0);
                given.takeOnceGiven(old, 15);
            });

            assertThatThrownBy(() -> repairing.admin().repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(BEATEN)
                    .hasMessageEndingWith(". Repeat the command");

            given.take(old, 50);
        }
    }

    @Test
    void aRepairDoesNotBringBackCountersThatWereMovedAwayMeanwhile() {
        try (DistributedIds old = GivenIds.sequenceTable(URL, "block.timeout", "1s");
                DistributedIds repairing = GivenIds.sequenceTable(List.of(slow));
                DistributedIds next = GivenIds.sequenceTable(NEXT)) {
            given.take(old, 15);
            meanwhile(CommandsAtOnceTest::moveAway);

            assertThatThrownBy(() -> repairing.admin().repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(BEATEN);

            given.take(next, 100);
            given.takeUntilRefusedFor(old, 100, "The counters were moved away");
        }
    }
}
