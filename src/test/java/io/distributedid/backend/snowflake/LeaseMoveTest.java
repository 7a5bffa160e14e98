package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Worker numbers move from one table or server to another while processes lease them. */
@Tag("slow")
class LeaseMoveTest {

    private static final String A = "jdbc:h2:mem:move_a;DB_CLOSE_DELAY=-1";

    private static final String B = "jdbc:h2:mem:move_b;DB_CLOSE_DELAY=-1";

    private static final Map<String, String> OLD = Map.of("lease.server", A);

    private static final Map<String, String> BOTH = Map.of("lease.server", B, "lease.moving_from.server", A);

    private static final Map<String, String> NEW = Map.of("lease.server", B);

    private static final String WIDE = "time(ms):41, worker:12, sequence:10";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("move_a", "move_b");
    }

    @ParameterizedTest
    @CsvSource({"move_b, snowflake_worker, lease", "move_a, other_worker, lease", "move_b, snowflake_worker, 5"})
    void noIdIsGivenTwiceInARollingDeployment(String database, String table, String worker) throws Exception {
        Map<String, String> next = new HashMap<>(
                Map.of("lease.server", "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1", "lease.table", table));
        Map<String, String> both = new HashMap<>(next);
        both.put("lease.moving_from.server", A);
        boolean fixed = !worker.equals("lease");
        int processes = fixed ? 1 : 3;
        try (DrawnIds drawn = new DrawnIds("photos")) {
            for (int i = 0; i < processes; i++) {
                drawn.start(open(worker, OLD));
            }
            drawn.await(20_000);
            for (Map<String, String> settings : List.of(both, next)) {
                if (settings.equals(next)) {
                    try (DistributedIds command = open(worker, both)) {
                        assertThat(command.finishMove("photos", false))
                                .extracting(CheckResult::what)
                                .containsExactly("old place", "new place");
                    }
                }
                for (int i = 0; i < processes; i++) {
                    if (fixed) {
                        drawn.stopOldest();
                    }
                    drawn.start(open(worker, settings));
                    drawn.await(20_000);
                    if (!fixed) {
                        drawn.stopOldest();
                    }
                }
            }
            drawn.await(20_000);
            drawn.stopAll();
            assertThat(drawn.failures()).isEmpty();
            assertThat(drawn.twice()).isZero();
        }
    }

    @Test
    void whoHasTheNewPlaceAloneIsRefusedUntilTheMoveHasEnded() {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH);
                DistributedIds early = open(NEW);
                DistributedIds late = open(NEW)) {
            old.next("photos");
            assertThat(worker(both)).isEqualTo(1);

            assertThatThrownBy(() -> early.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The move of the worker numbers has not ended: snowflake_worker on jdbc:h2:mem:move_b"
                            + " state=MOVING. Set distributedid.snowflake.lease.moving_from.* to the place where"
                            + " they are leased"
                            + " now; or end the move with these settings: distributedid move-workers SEQ");
            stop(old);
            both.finishMove("photos", false);
            assertThat(worker(late)).isZero();
            assertThat(both.next("photos")).isPositive();
        }
    }

    /** A start asks for the token before it takes a number. */
    @Test
    void aQuestionForTheTokenDuringAMoveIsAnsweredWithThatOfTheOldPlace() {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH)) {
            old.next("photos");
            assertThat(both.token("photos")).isPresent().isEqualTo(old.token("photos"));

            assertThat(worker(both)).isEqualTo(1);
            assertThat(both.token("photos")).isEqualTo(old.token("photos"));
            try (DistributedIds more = open(BOTH)) {
                assertThat(more.token("photos")).isEqualTo(old.token("photos"));
            }
        }
    }

    @Test
    void whoHasTheOldPlaceAloneIsNamedOrCutOff() {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH);
                DistributedIds another = open(OLD)) {
            old.next("photos");
            both.next("photos");

            assertThatThrownBy(() -> both.finishMove("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "Processes lease worker numbers at the old place alone, and would be cut off:"
                                    + " snowflake_worker on jdbc:h2:mem:move_a. 0 by ")
                    .hasMessageEndingWith("; or cut them off with --force");
            both.finishMove("photos", true);
            assertThatThrownBy(() -> another.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("The worker numbers have moved to another place: snowflake_worker on jdbc:h2:mem:move_a"
                            + " state=MOVED. None is leased there any more. Set distributedid.snowflake.lease.* to"
                            + " the new"
                            + " place, and start again");
            assertThatThrownBy(() -> Await.until("ids end", () -> old.next("photos") == 0))
                    .hasMessageContaining("The worker numbers have moved to another place");
        }
    }

    @Test
    void onceTheMoveHasEndedTheOldPlaceIsNotNeeded() throws SQLException {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH)) {
            old.next("photos");
            stop(old);
            both.next("photos");
            both.finishMove("photos", false);
            assertThat(both.finishMove("photos", false)).hasSize(1);
            H2Servers.drop("move_a");
            try (DistributedIds late = open(BOTH)) {
                assertThat(worker(late)).isEqualTo(1);
            }
            Instant end = Instant.now().plusSeconds(2);
            Instant last = Instant.MIN;
            while (last.isBefore(end)) {
                last = both.decode("photos", both.next("photos")).time().orElseThrow();
            }
        }
    }

    @Test
    void withoutTheOldPlaceNobodyWhoNeedsItStartsAndTheMoveDoesNotEnd() throws SQLException {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH)) {
            old.next("photos");
            both.next("photos");
        }
        H2Servers.drop("move_a");
        try (DistributedIds both = open(BOTH)) {
            assertThatThrownBy(() -> both.next("photos"))
                    .hasMessageStartingWith("The table of worker numbers is missing: table=snowflake_worker on"
                            + " jdbc:h2:mem:move_a.");
            assertThatThrownBy(() -> both.finishMove("photos", false))
                    .hasMessageStartingWith("The table of worker numbers is missing: table=snowflake_worker on");
        }
    }

    @Test
    void theTokenAndTheLayoutsAreTakenAlong() throws SQLException {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH);
                DistributedIds other = open(with(BOTH, "layout", WIDE))) {
            old.next("photos");
            old.next("users");
            both.next("photos");
            assertThatThrownBy(() -> other.next("photos"))
                    .hasMessageStartingWith("A sequence must keep its layout and epoch");
            stop(old);
            both.finishMove("photos", false);
        }
        try (DistributedIds other = open(with(NEW, "layout", WIDE))) {
            assertThatThrownBy(() -> other.next("users"))
                    .hasMessageStartingWith("A sequence must keep its layout and epoch");
        }
        String before = record(A);
        assertThat(record(B)).startsWith(before.substring(0, before.indexOf(' ')));
        assertThat(before).contains(" state=MOVED move=");
        assertThat(record(B)).contains(" from=").doesNotContain("state=");
    }

    @Test
    void whileNumbersMoveALayoutIsNotChangedAndProcessesStartAsBefore() throws SQLException {
        begin();
        assertNotChanged(
                BOTH, "jdbc:h2:mem:move_b state=MOVING. End the move first: distributedid move-workers photos");
        try (DistributedIds both = open(BOTH)) {
            assertThat(both.next("photos")).isPositive();
        }
        try (DistributedIds both = open(BOTH)) {
            both.finishMove("photos", false);
            assertThat(both.next("photos")).isPositive();
        }
        String before = record(A, "photos");
        assertNotChanged(
                OLD,
                "jdbc:h2:mem:move_a state=MOVED. End the move, and run the command with the new place:"
                        + " distributedid move-workers photos");
        assertThat(record(A, "photos")).isEqualTo(before);
    }

    private static void assertNotChanged(Map<String, String> place, String why) {
        try (DistributedIds tool = open(with(place, "layout", WIDE))) {
            assertThatThrownBy(() -> tool.changeLayout("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("No layout can be changed while worker numbers move: snowflake_worker on " + why);
        }
    }

    @Test
    void aLayoutThatDiffersIsFoundBeforeTheOldPlaceIsFenced() throws SQLException {
        begin();
        String layout = record(B, "photos");
        write(B, "photos", layout + " changes to another");
        try (DistributedIds both = open(BOTH)) {
            assertThatThrownBy(() -> both.finishMove("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A sequence must have the same layout and epoch at both places: seq=photos,"
                            + " snowflake_worker on jdbc:h2:mem:move_a records " + layout
                            + ", snowflake_worker on jdbc:h2:mem:move_b " + layout + " changes to another. If a"
                            + " change-layout was interrupted, run it again with the old layout, which takes the"
                            + " change back. Otherwise move to another place, which was never used. The old place is"
                            + " not fenced");
        }
        assertThat(record(A)).doesNotContain("state=");
        try (DistributedIds both = open(BOTH)) {
            assertThat(both.changeLayout("photos", false)).isEqualTo(layout);
            assertThat(both.next("photos")).isPositive();
        }
        try (DistributedIds both = open(BOTH)) {
            both.finishMove("photos", false);
        }
        assertThat(record(A)).contains(" state=MOVED");
    }

    /** A process has the old place, and then one has both. */
    private static void begin() {
        for (Map<String, String> place : List.of(OLD, BOTH)) {
            try (DistributedIds ids = open(place)) {
                ids.next("photos");
            }
        }
    }

    @Test
    void placesThatAreNoTwoPlacesOfAMoveAreRefused() {
        try (DistributedIds both = open(BOTH)) {
            assertThatThrownBy(() -> both.next("photos"))
                    .hasMessageStartingWith("The table of worker numbers is missing: table=snowflake_worker on"
                            + " jdbc:h2:mem:move_a.");
            assertThatThrownBy(() -> both.token("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("The table of worker numbers is missing: table=snowflake_worker on"
                            + " jdbc:h2:mem:move_a.");
            assertThatThrownBy(() -> both.finishMove("photos", false)).isInstanceOf(IdConfigurationException.class);
        }
        try (DistributedIds old = open(OLD);
                DistributedIds same = open(with(OLD, "lease.moving_from.server", A))) {
            old.next("photos");
            assertThatThrownBy(() -> same.next("photos"))
                    .hasMessageStartingWith(
                            "The places that worker numbers move from and to are the same, or one is a copy of the"
                                    + " other: ");
        }
        try (DistributedIds used = open(NEW);
                DistributedIds both = open(BOTH)) {
            used.next("photos");
            assertThatThrownBy(() -> both.next("photos"))
                    .hasMessageStartingWith(
                            "The place that worker numbers move to must not have been used: snowflake_worker on"
                                    + " jdbc:h2:mem:move_b token=");
            assertThatThrownBy(() -> both.finishMove("photos", false))
                    .hasMessageStartingWith("There is no move of worker numbers between these places: ");
        }
        try (DistributedIds singleUse = open("single_use", BOTH)) {
            assertThatThrownBy(() -> singleUse.next("photos"))
                    .hasMessageContaining("Single-use numbers need no moving_from");
        }
    }

    @Test
    void whoMovesToAnotherPlaceIsCutOffByTheFence() {
        Map<String, String> elsewhere = with(BOTH, "lease.table", "elsewhere");
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH);
                DistributedIds lost = open(elsewhere);
                DistributedIds late = open(with(BOTH, "lease.table", "third"))) {
            old.next("photos");
            stop(old);
            both.next("photos");
            assertThat(worker(lost)).isEqualTo(1);
            both.finishMove("photos", true);

            assertThatThrownBy(() -> Await.until("ids end", () -> lost.next("photos") == 0))
                    .hasMessageContaining("The worker numbers have moved to another place: snowflake_worker on"
                            + " jdbc:h2:mem:move_a state=MOVED");
            assertThatThrownBy(() -> late.next("photos"))
                    .hasMessageStartingWith(
                            "The worker numbers have moved from snowflake_worker on jdbc:h2:mem:move_a, but not"
                                    + " to third on jdbc:h2:mem:move_b");
        }
    }

    @Test
    void theCheckSaysHowFarTheMoveIs() {
        try (DistributedIds old = open(OLD);
                DistributedIds both = open(BOTH);
                DistributedIds next = open(NEW);
                DistributedIds other = open(with(OLD, "layout", WIDE))) {
            old.next("photos");
            assertThat(checked(old))
                    .containsExactly("record OK token=T, longest window 1000 ms", "layout record OK the same");
            assertThat(checked(other).get(1))
                    .startsWith("layout record FAILED A sequence must keep its layout and epoch: seq=photos");
            stop(old);
            both.next("photos");
            assertThat(checked(both))
                    .containsExactly(
                            "record OK token=T, longest window 1000 ms, state=MOVING",
                            "record OK token=T, longest window 1000 ms",
                            "layout record OK the same");
            assertThat(checked(next).get(0)).startsWith("record FAILED The move of the worker numbers has not ended");
            both.finishMove("photos", false);
            assertThat(checked(next))
                    .containsExactly("record OK token=T, longest window 1000 ms", "layout record OK the same");
            assertThat(checked(both))
                    .containsExactly("record OK token=T, longest window 1000 ms", "layout record OK the same");
            assertThat(checked(other).get(0))
                    .startsWith("record FAILED The worker numbers have moved to another place");
        }
    }

    private static List<String> checked(DistributedIds ids) {
        return ids.check("photos").stream()
                .filter(result -> result.what().endsWith("record"))
                .map(result -> result.what() + " " + result.status() + " "
                        + result.detail().replaceAll("token=[-0-9a-f]+", "token=T"))
                .toList();
    }

    private static String record(String url) throws SQLException {
        return record(url, "@store");
    }

    private static String record(String url, String name) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT content FROM snowflake_worker_record WHERE name = '" + name + "'")) {
            row.next();
            return row.getString(1);
        }
    }

    private static void write(String url, String name, String content) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(
                    "UPDATE snowflake_worker_record SET content = '" + content + "' WHERE name = '" + name + "'");
        }
    }

    private static void stop(DistributedIds ids) {
        ids.close();
    }

    private static long worker(DistributedIds ids) {
        return ids.decode("photos", ids.next("photos")).field("worker");
    }

    private static Map<String, String> with(Map<String, String> settings, String name, String value) {
        Map<String, String> all = new HashMap<>(settings);
        all.put(name, value);
        return all;
    }

    private static DistributedIds open(Map<String, String> more) {
        return open("lease", more);
    }

    private static DistributedIds open(String worker, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                worker,
                "distributedid.create_tables",
                "true",
                "distributedid.snowflake.lease.window",
                "1s"));
        more.forEach((name, value) -> settings.put("distributedid.snowflake." + name, value));
        return DistributedIds.create(settings);
    }
}
