package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class H2SequenceTableTest {

    private static final String ONE = "jdbc:h2:mem:one;DB_CLOSE_DELAY=-1";

    private static final String TWO = "jdbc:h2:mem:two;DB_CLOSE_DELAY=-1";

    private static final String BOTH = ONE + ", " + TWO;

    private static final Map<String, String> STRICT = Map.of("block.max", "1");

    @BeforeEach
    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("one", "two");
    }

    @Test
    void theFirstUseOfANameCreatesItsRow() throws SQLException {
        try (DistributedIds ids = open(ONE, STRICT)) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(ids.next("photos")).isEqualTo(2);
            assertThat(ids.next("users")).isEqualTo(1);
        }
        assertThat(value(ONE, "photos")).isEqualTo(2);
    }

    @Test
    void twoServersCountInStepsOfTwo() {
        try (DistributedIds ids = open(BOTH, STRICT)) {
            List<Long> taken = List.of(ids.next("photos"), ids.next("photos"), ids.next("photos"), ids.next("photos"));

            assertThat(taken).containsExactly(3L, 2L, 5L, 4L);
        }
    }

    @Test
    void anotherListOfServersIsRefused() {
        open(BOTH, STRICT).close();
        next(BOTH);

        assertRefused(
                TWO + ", " + ONE,
                "jdbc:h2:mem:two is used with increment=2 offset=2, but this client has increment=2 offset=1");
        assertRefused(
                ONE, "jdbc:h2:mem:one is used with increment=2 offset=1, but this client has increment=1 offset=1");
    }

    @Test
    void aTableInUseIsNotDividedJustLikeThat() throws SQLException {
        execute(ONE, "CREATE TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL)");
        execute(ONE, "INSERT INTO sequence VALUES ('photos', 41)");

        assertThatThrownBy(() -> next(BOTH))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("An empty server is listed beside one that gave ids: table=sequence name=photos"
                        + " on jdbc:h2:mem:one. Listing servers does not divide a counter that is in use.");
        assertThat(next(ONE)).as("one server goes on with it").isEqualTo(42);
    }

    @Test
    void aRowThatTheServerCanNotHaveGivenIsRefused() throws SQLException {
        next(BOTH);
        execute(ONE, "UPDATE sequence SET id = 10 WHERE name = 'photos'");

        assertThatThrownBy(() -> next(BOTH))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A counter has an id that its server never gives: table=sequence name=photos on jdbc:h2:mem:one"
                                + " id=10, increment=2 offset=1. The id comes from another numbering, or from a client"
                                + " that draws one id at a time and ignores the numbering. Stop that client; list the"
                                + " servers in their old order; or raise all counters above the id: distributedid"
                                + " repair photos"
                                + Pages.onCall("counter-remainder"));
    }

    @Test
    void idsBeginWhereTheSettingSays() {
        assertThat(next(ONE, Map.of("sequence_table.start", "1000"))).isEqualTo(1000);
        assertThat(next(ONE, Map.of("sequence_table.start", "10"))).isGreaterThan(1000);
        assertThat(next(ONE, Map.of("seq.photos.sequence_table.start", "5000"))).isEqualTo(5000);
    }

    @Test
    void aCounterBelowExistingIdsIsRefusedOrRaised() throws SQLException {
        execute(TWO, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
        execute(TWO, "INSERT INTO photo VALUES (777)");
        JdbcDataSource shard = new JdbcDataSource();
        shard.setUrl(TWO);
        try (DistributedIds ids = open(ONE, Map.of())) {
            ids.next("photos");
            assertThatThrownBy(() -> ids.admin().requireAbove("photos", 777))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A counter would give ids that exist: table=sequence name=photos on jdbc:h2:mem:one"
                            + " id=16, but there is an id 777 already. Set distributedid.existing_ids=raise, or raise"
                            + " the counter: distributedid raise photos --above 777. If the counter was lost or set"
                            + " back, clients may hold larger ids in memory: distributedid repair photos --above 777"
                            + Pages.onCall("counter-existing"));

            assertThat(ids.admin().raise("photos", List.of(shard), "photo", "id"))
                    .isEqualTo(777);
            assertThat(ids.next("photos")).isEqualTo(778);
            ids.admin().requireAbove("photos", 777);
        }
    }

    @Test
    void aRowThatWasDeletedIsRefusedEvenOnceItHasCaughtUpUntilTheProcessStartsAgain() throws SQLException {
        try (DistributedIds ids = open(ONE, Map.of("block.max", "1", "block.timeout", "2s"))) {
            for (int i = 0; i < 3; i++) {
                ids.next("photos");
            }
            execute(ONE, "DELETE FROM sequence WHERE name = 'photos'");
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ids.next("photos"))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageContaining(
                                "A counter went back and may give ids again: table=sequence name=photos on"
                                        + " jdbc:h2:mem:one id=missing now, but ids up to 3 may be in use. No other"
                                        + " server answers that knows the right value. Raise the counter above every id"
                                        + " in use: distributedid repair photos --above ID");
            }
        }
        execute(ONE, "INSERT INTO sequence VALUES ('photos', 1000)");
        assertThat(next(ONE)).isEqualTo(1001);
    }

    @Test
    void theEndOfTheRangeIsAnErrorAlsoForANewProcess() {
        try (DistributedIds ids = open(ONE, STRICT)) {
            ids.admin().raise("photos", Long.MAX_VALUE - 1);
            assertThat(ids.next("photos")).isEqualTo(Long.MAX_VALUE);
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessageContaining(
                            "The counter is at the end of its column: table=sequence name=photos on jdbc:h2:mem:one");
        }
        assertThatThrownBy(() -> next(ONE))
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessageContaining("The counter is at the end of its column");
    }

    private static void assertRefused(String servers, String message) {
        assertThatThrownBy(() -> next(servers))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "Clients must number the servers alike: table=sequence name=photos on " + message);
    }

    private static long next(String servers) {
        return next(servers, Map.of());
    }

    private static long next(String servers, Map<String, String> more) {
        try (DistributedIds ids = open(servers, more)) {
            return ids.next("photos");
        }
    }

    private static DistributedIds open(String servers, Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", servers,
                "distributedid.create_tables", "true"));
        more.forEach((name, value) -> settings.put(Setting.PREFIX + name, value));
        return DistributedIds.create(settings);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long value(String url, String sequence) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT id FROM sequence WHERE name = '" + sequence + "'")) {
            row.next();
            return row.getLong(1);
        }
    }
}
