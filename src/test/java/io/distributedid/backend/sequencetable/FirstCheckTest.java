package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A check of tables that another program has used and no client has used says what the first client will say. */
class FirstCheckTest {

    private static final String ODD = "jdbc:h2:mem:first_odd;DB_CLOSE_DELAY=-1";

    private static final String EVEN = "jdbc:h2:mem:first_even;DB_CLOSE_DELAY=-1";

    private static final long MAX_DISTANCE = 1_000_000;

    private static final String LIMIT = "distributedid.max_distance=" + MAX_DISTANCE;

    @BeforeEach
    void create() throws SQLException {
        for (String url : List.of(ODD, EVEN)) {
            DatabaseRows.execute(
                    url,
                    IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "h2")
                            .toArray(String[]::new));
        }
        set(ODD, 101);
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("first_odd", "first_even");
    }

    private static DistributedIds client(String... settings) {
        return GivenIds.sequenceTable(List.of(ODD, EVEN), withDistance(settings));
    }

    private static Object[] withDistance(String... settings) {
        Object[] all = new Object[settings.length + 2];
        all[0] = "max_distance";
        all[1] = MAX_DISTANCE;
        System.arraycopy(settings, 0, all, 2, settings.length);
        return all;
    }

    private static void set(String url, long id) throws SQLException {
        DatabaseRows.execute(url, "MERGE INTO sequence KEY (name) VALUES ('photos', " + id + ")");
    }

    private static List<String> notOk(DistributedIds ids, String what) {
        return ids.admin().check("photos").stream()
                .filter(each -> each.what().equals(what) && each.status() != Status.OK)
                .map(CheckResult::detail)
                .toList();
    }

    private static CheckResult distance(DistributedIds ids) {
        return ids.admin().check("photos").stream()
                .filter(each -> each.what().equals("distance"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aDistanceIsToldAndTheFirstClientMakesUpForIt() throws SQLException {
        set(EVEN, 50_000_000);
        try (DistributedIds ids = client()) {
            assertThat(distance(ids)).isEqualTo(CheckResult.ok("distance", "", "distance=49999899, beyond " + LIMIT));

            GivenIds given = new GivenIds();
            given.take(ids, 50);

            given.assertNoneTwice();
            assertThat(DatabaseRows.number(ODD, "SELECT id FROM sequence")).isGreaterThan(50_000_000);
        }
    }

    @Test
    void nothingFailsWhereTheFirstClientIsServed() throws SQLException {
        set(EVEN, 102);
        try (DistributedIds ids = client()) {
            assertThat(ids.admin().check("photos"))
                    .extracting(CheckResult::status)
                    .containsOnly(Status.OK);
            assertThat(distance(ids).detail()).isEqualTo("distance=1, allowed: " + LIMIT);
            assertThat(DatabaseRows.rows(ODD, "SELECT name FROM distributedid"))
                    .as("nothing is created beside the table")
                    .containsExactly("@store");

            assertThat(ids.next("photos")).isGreaterThan(100);
        }
    }

    @Test
    void aWrongRemainderIsRefusedByTheFirstClient() throws SQLException {
        set(EVEN, 50_000_001);
        try (DistributedIds ids = client()) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageContaining("A counter has an id that its server never gives: ");
            assertThat(notOk(ids, "counter"))
                    .anySatisfy(
                            each -> assertThat(each).startsWith("A counter has an id that its server never gives: "));
        }
    }
}
