package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Two commands of operators change one counter at once: one between a look of the other and its first lock. */
class CommandsAtOnceTest {

    private static final String URL = "jdbc:h2:mem:at_once;DB_CLOSE_DELAY=-1";

    private static final String NEXT = "jdbc:h2:mem:at_once_next;DB_CLOSE_DELAY=-1";

    private static final String CHANGED = "The claim has changed during a ";

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

    /** Runs a command when the next one on the slow connection has looked, and before it locks a record. */
    private void meanwhile(Command command) {
        slow.before(trip -> runBeforeTheFirstLock(command, trip));
    }

    private void runBeforeTheFirstLock(Command command, String trip) throws SQLException {
        if (trip.contains("FROM distributedid_record")
                && trip.endsWith("FOR UPDATE")
                && isDone.compareAndSet(false, true)) {
            command.run();
        }
    }

    private static void moveAway() throws SQLException {
        SequenceTableMove.move(List.of(server(URL)), List.of(server(NEXT)), "sequence");
    }

    private static DataSource server(String url) {
        JdbcDataSource server = new JdbcDataSource();
        server.setUrl(url);
        return server;
    }

    private static long retire(DistributedIds ids) {
        return ids.retire("photos").lastIds().values().stream()
                .mapToLong(Long::longValue)
                .max()
                .orElseThrow();
    }

    @Test
    void aRepairKeepsARetirementThatEndedMeanwhile() {
        AtomicLong last = new AtomicLong();
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds repairing = GivenIds.sequenceTable(List.of(slow));
                DistributedIds next = GivenIds.sequenceTable(NEXT)) {
            given.take(old, 15);
            meanwhile(() -> last.set(retire(old)));

            assertThatThrownBy(() -> repairing.repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The counter was retired: table=sequence name=photos on data source 1");

            next.raiseAbove("photos", last.get());
            given.take(next, 100);
            given.takeUntilRefusedFor(old, 100, "The counter was retired");
            assertThat(old.next("albums")).as("another counter of the table").isPositive();
        }
    }

    /** All counters of the table wait for its end. */
    @Test
    void aRepairThatWasCutOffAfterARetirementIsEnded() throws SQLException {
        try (DistributedIds old = GivenIds.sequenceTable(URL, "block.timeout", "1s");
                DistributedIds repairing = GivenIds.sequenceTable(List.of(slow))) {
            given.take(old, 15);
            slow.before(trip -> {
                runBeforeTheFirstLock(() -> retire(old), trip);
                if (trip.startsWith("UPDATE sequence ")) {
                    throw new SQLException("cut off");
                }
            });
            assertThatThrownBy(() -> repairing.repair("photos", 100)).isInstanceOf(IdUnavailableException.class);
            slow.before(trip -> {});

            assertThatThrownBy(() -> repairing.repair("photos", 100))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The counter was retired: ");

            given.takeUntilRefusedFor(old, 100, "The counter was retired");
            assertThat(old.next("albums")).as("another counter of the table").isPositive();
        }
    }

    @Test
    void aRetirementIsRefusedIfARepairEndedMeanwhile() {
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds retiring = GivenIds.sequenceTable(List.of(slow))) {
            given.take(old, 15);
            meanwhile(() -> old.repair("photos", 0));

            assertThatThrownBy(() -> retire(retiring))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(CHANGED + "retirement: table=sequence name=photos on data source 1");

            given.takeOnceGiven(old, 50);
            assertThat(retire(retiring)).isGreaterThanOrEqualTo(given.highest());
        }
    }

    @Test
    void aRepairIsRefusedIfAnotherOneEndedMeanwhile() {
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds repairing = GivenIds.sequenceTable(List.of(slow))) {
            given.take(old, 15);
            meanwhile(() -> {
                old.repair("photos", 0);
                given.takeOnceGiven(old, 15);
            });

            assertThatThrownBy(() -> repairing.repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(CHANGED + "repair: table=sequence name=photos on data source 1");

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

            assertThatThrownBy(() -> repairing.repair("photos", 0))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(CHANGED + "repair: ");

            given.take(next, 100);
            given.takeUntilRefusedFor(old, 100, "The counters were moved away");
        }
    }

    @Test
    void aRetirementIsRefusedIfTheCountersWereMovedAwayMeanwhile() {
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds retiring = GivenIds.sequenceTable(List.of(slow));
                DistributedIds next = GivenIds.sequenceTable(NEXT)) {
            given.take(old, 15);
            meanwhile(CommandsAtOnceTest::moveAway);

            assertThatThrownBy(() -> retire(retiring))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(CHANGED + "retirement: ");

            given.take(next, 100);
            assertThat(retire(next)).isGreaterThanOrEqualTo(given.highest());
        }
    }

    /** A plain SELECT before the lock would begin a snapshot, from which the record was read after the lock. */
    @Test
    void aRetirementReadsTheRecordByTheStatementThatLocksIt() {
        try (DistributedIds old = GivenIds.sequenceTable(URL);
                DistributedIds retiring = GivenIds.sequenceTable(List.of(slow))) {
            assertThat(old.next("albums")).as("the table is in use").isPositive();
            meanwhile(() -> given.take(old, 15));

            long last = retire(retiring);

            assertThat(last).isGreaterThanOrEqualTo(given.highest());
            assertThat(transaction(slow.take()))
                    .filteredOn(trip -> trip.startsWith("SELECT"))
                    .isNotEmpty()
                    .allSatisfy(select -> assertThat(select).endsWith(" FOR UPDATE"));
            given.takeUntilRefusedFor(old, 100, "The counter was retired");
        }
    }

    /** The one with the first lock. */
    private static List<String> transaction(List<String> trips) {
        int lock = 0;
        while (!trips.get(lock).endsWith(" FOR UPDATE")) {
            lock++;
        }
        int begin = trips.subList(0, lock).lastIndexOf("setAutoCommit");
        return trips.subList(begin, lock + trips.subList(lock, trips.size()).indexOf("commit"));
    }
}
