package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an operator does with a store of leases, by the settings of its processes. */
class LeaseStoreCommandsTest {

    private static final String URL = "jdbc:h2:mem:leases;DB_CLOSE_DELAY=-1";

    private static final String OTHER = "jdbc:h2:mem:leases-other;DB_CLOSE_DELAY=-1";

    private final List<String> remembered = new ArrayList<>();

    private final List<CounterMove.Jump> confirmed = new ArrayList<>();

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("leases");
        H2Servers.drop("leases-other");
    }

    @Test
    void aTableThatWasThereBeforeIsBegunByACommand() throws SQLException {
        try (DistributedIds creates = DistributedIds.create(settings(URL, Map.of()))) {
            creates.next("photos");
        }
        sql(URL, "DELETE FROM distributedid");
        Map<String, String> production = settings(URL, Map.of("create_tables", "false"));
        try (DistributedIds ids = DistributedIds.create(production)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageContaining("The store of leases was never used, or was emptied: distributedid on"
                            + " jdbc:h2:mem:leases. Initialise it: distributedid init SEQ");
        }
        try (DistributedIds tool = DistributedIds.create(production)) {
            assertThat(tool.admin().init("photos"))
                    .as("what it may have forgotten must have ended")
                    .isPresent();
            assertThat(tool.admin().init("photos")).as("again").isPresent();
        }
        sql(
                URL,
                "UPDATE distributedid SET version = '50-x', text = REPLACE(text, 'lost=', 'lost=0') WHERE name = '@store'");
    }

    @Test
    void aStoreGetsOtherWindowsWhileNothingIsLeased() throws SQLException {
        Map<String, String> longer = settings(URL, Map.of("snowflake.lease.window", "5s"));
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()));
                DistributedIds tool = DistributedIds.create(longer)) {
            ids.next("photos");

            assertThatThrownBy(() -> tool.admin().init("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A process runs, or was killed a moment ago: distributedid on");
            assertThat(ids.next("photos")).isPositive();
        }
        try (DistributedIds tool = DistributedIds.create(longer)) {
            assertThat(tool.admin().init("photos")).isEmpty();
            assertThat(tool.next("photos")).isPositive();
        }
        assertThat(text(URL, "@store")).contains("window=5000");
    }

    @Test
    void leasesMoveToAnotherStoreAndBack() throws SQLException {
        long last;
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()))) {
            last = ids.next("photos");
        }
        last = move(URL, OTHER, last);
        try (DistributedIds old = DistributedIds.create(settings(URL, Map.of()))) {
            assertThatThrownBy(() -> old.next("photos"))
                    .hasMessageContaining("The leases have moved from distributedid on jdbc:h2:mem:leases to"
                            + " distributedid on jdbc:h2:mem:leases-other");
        }
        last = move(OTHER, URL, last);
        assertThat(last).isPositive();
        assertThat(remembered).hasSize(2).doesNotHaveDuplicates();
        assertThat(confirmed.get(1).tokens())
                .as("what the databases of the entities remember now")
                .containsExactly(remembered.get(0));
    }

    private long move(String from, String to, long last) {
        try (DistributedIds tool = DistributedIds.create(settings(to, Map.of()))) {
            assertThat(tool.admin().move("photos", place(from, Set.of(), false)))
                    .isZero();
            assertThat(tool.admin().move("photos", place(from, Set.of(), false)))
                    .as("again")
                    .isZero();
            remembered.remove(remembered.size() - 1);
            confirmed.remove(confirmed.size() - 1);
            long next = tool.next("photos");
            assertThat(next).isGreaterThan(last);
            return next;
        }
    }

    private CounterMove place(String from, Set<String> tokens, boolean isDryRun) {
        return new CounterMove(
                Kind.PLACE, List.of(settings(from, Map.of())), 0, tokens, isDryRun, confirmed::add, remembered::add);
    }

    @Test
    void leasesOfARunningProcessDoNotMove() {
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()));
                DistributedIds tool = DistributedIds.create(settings(OTHER, Map.of()))) {
            ids.next("photos");

            assertThatThrownBy(() -> tool.admin().move("photos", place(URL, Set.of(), false)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A process runs, or was killed a moment ago: distributedid on");
            assertThat(ids.next("photos")).isPositive();
            assertThat(remembered).isEmpty();
        }
    }

    @Test
    void aDryRunChangesNothing() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()))) {
            ids.next("photos");
        }
        try (DistributedIds other = DistributedIds.create(settings(OTHER, Map.of()))) {
            other.next("photos");
        }
        String before = text(URL, "@store");
        try (DistributedIds tool = DistributedIds.create(settings(OTHER, Map.of()))) {
            assertThatThrownBy(() -> tool.admin().move("photos", place(URL, Set.of(), true)))
                    .hasMessageStartingWith("The target of the move has leases of its own");
            assertThatThrownBy(() -> tool.admin().move("photos", place(URL, Set.of("another"), false)))
                    .hasMessageStartingWith("The databases of the entities remember another place than distributedid on"
                            + " jdbc:h2:mem:leases: token=[another]");
        }
        assertThat(text(URL, "@store")).isEqualTo(before);
        assertThat(remembered).isEmpty();
    }

    @Test
    void aPlaceOfLeasesIsNotMergedAndDoesNotEnd() {
        try (DistributedIds tool = DistributedIds.create(settings(URL, Map.of()))) {
            CounterMove end = new CounterMove(Kind.END, List.of(), 0, Set.of(), false, jump -> {}, token -> {});
            assertThatThrownBy(() -> tool.admin().move("photos", end))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A store of worker numbers has no counter that could end: seq=photos");
            CounterMove merge = new CounterMove(
                    Kind.PLACE,
                    List.of(settings(URL, Map.of()), settings(OTHER, Map.of())),
                    0,
                    Set.of(),
                    false,
                    jump -> {},
                    token -> {});
            assertThatThrownBy(() -> tool.admin().move("photos", merge))
                    .hasMessageStartingWith("Places of worker numbers can't be merged: seq=photos from=2 places");
        }
    }

    @Test
    void aStoreThatLostLeasesIsRepairedOnTheServerThatAnswers() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()))) {
            ids.next("photos");
        }
        sql(
                URL,
                "UPDATE distributedid SET version = '50-x', text = REPLACE(text, 'server=', 'server=old-') WHERE name = '@store'");
        sql(URL, "DELETE FROM distributedid WHERE name = '@worker/1'");
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()))) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .hasMessageContaining("The store names another server than this one");
        }
        try (DistributedIds tool = DistributedIds.create(settings(URL, Map.of()))) {
            CounterMove repair = new CounterMove(Kind.REPAIR, List.of(), 0, Set.of(), false, confirmed::add, t -> {});
            assertThat(tool.admin().move("photos", repair)).isZero();
        }
        assertThat(confirmed).hasSize(1);
        assertThat(text(URL, "@store")).doesNotContain("old-");
        try (DistributedIds ids = DistributedIds.create(settings(URL, Map.of()))) {
            Await.until("all that was lost has ended", () -> isGiven(ids), () -> confirmed);
        }
    }

    private static boolean isGiven(DistributedIds ids) {
        try {
            return ids.next("photos") > 0;
        } catch (IdUnavailableException e) {
            assertThat(e).hasMessageContaining("by hand? Leases are given again in ");
            return false;
        }
    }

    @Test
    void onlyLeasesHaveAStore() {
        Map<String, String> fixed = settings(URL, Map.of("snowflake.worker", "7"));
        fixed.remove("distributedid.snowflake.lease.server");
        fixed.remove("distributedid.snowflake.lease.window");
        try (DistributedIds tool = DistributedIds.create(fixed)) {
            assertThatThrownBy(() -> tool.admin().init("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("Only worker numbers that are leased have a store: seq=photos, allowed: ");
            assertThatThrownBy(() -> tool.admin().changeLayout("photos", false))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "No layout is recorded for the sequence, so there is nothing to change: seq=photos. ");
        }
    }

    private static Map<String, String> settings(String url, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "lease",
                "distributedid.snowflake.lease.server", url,
                "distributedid.snowflake.lease.window", "4s",
                "distributedid.create_tables", "true"));
        more.forEach((name, value) -> settings.put("distributedid." + name, value));
        return settings;
    }

    private static void sql(String url, String statement) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement()) {
            sql.execute(statement);
        }
    }

    private static String text(String url, String row) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement sql = connection.createStatement();
                ResultSet found = sql.executeQuery("SELECT text FROM distributedid WHERE name = '" + row + "'")) {
            assertThat(found.next()).isTrue();
            return found.getString(1);
        }
    }
}
