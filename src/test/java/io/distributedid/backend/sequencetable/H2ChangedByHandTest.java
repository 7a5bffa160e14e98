package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Somebody changes the only server's counters by hand. */
class H2ChangedByHandTest {

    private static final String URL = "jdbc:h2:mem:changed_by_hand;DB_CLOSE_DELAY=-1";

    private final GivenIds given = new GivenIds();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("changed_by_hand");
    }

    private void takeAHundredAndSetBack() throws SQLException {
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            given.take(ids, 100);
        }
        DatabaseRows.execute(URL, "UPDATE sequence SET id = 20 WHERE name = 'photos'");
    }

    @Test
    void aLoneCounterThatIsSetBackWhileNoClientRunsGivesNoIdTwice() throws SQLException {
        takeAHundredAndSetBack();
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            RuntimeException unused = given.tryToTake(ids, 100);
        }
        given.assertNoneTwice();
    }

    @Test
    void aCheckTellsThatALoneCounterWasSetBack() throws SQLException {
        takeAHundredAndSetBack();
        try (DistributedIds ids = GivenIds.sequenceTable(URL)) {
            assertThat(ids.admin().check("photos"))
                    .extracting(CheckResult::status)
                    .contains(CheckResult.Status.FAILED);
        }
    }

    private DistributedIds besideABrokenRow() throws SQLException {
        DistributedIds ids = GivenIds.sequenceTable(URL);
        assertThat(ids.next("photos")).isEqualTo(1);
        assertThat(ids.next("users")).isEqualTo(1);
        DatabaseRows.execute(URL, "UPDATE sequence SET id = -15 WHERE name = 'photos'");
        given.takeUntilRefused(ids, 100);
        return ids;
    }

    @Test
    void aBrokenRowIsNotToldToThoseWhoAskForAnotherCounter() throws SQLException {
        try (DistributedIds ids = besideABrokenRow()) {
            assertThat(ids.admin().counters("users").lastIds().values()).containsExactly(10L);
        }
    }

    @Test
    void aBrokenRowIsNoFailureInTheStatisticsOfAnotherCounter() throws SQLException {
        try (DistributedIds ids = besideABrokenRow()) {
            assertThat(ids.statistics("users").orElseThrow().servers())
                    .singleElement()
                    .satisfies(server -> assertThat(server.failure()).isEmpty());
        }
    }
}
