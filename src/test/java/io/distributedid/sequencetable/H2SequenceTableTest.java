package io.distributedid.sequencetable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
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
    void aCleanStopGivesTheUnusedRestOfTheLastBlockBack() throws SQLException {
        try (DistributedIds ids = open(ONE, Map.of("block.min", "100"))) {
            for (int i = 0; i < 40; i++) {
                ids.next("photos");
            }
        }
        assertThat(value(ONE, "photos")).isEqualTo(40);
        try (DistributedIds ids = open(ONE, Map.of())) {
            assertThat(ids.next("photos")).isEqualTo(41);
        }
    }

    @Test
    void nothingIsGivenBackWhenSomebodyReservedAfterwards() {
        DistributedIds other = open(ONE, STRICT);
        long later;
        try (DistributedIds ids = open(ONE, Map.of("block.min", "100"))) {
            assertThat(ids.next("photos")).isEqualTo(1);
            later = other.next("photos");
        }
        try (other) {
            assertThat(later).isGreaterThan(100);
            assertThat(other.next("photos")).isGreaterThan(later);
        }
    }

    @Test
    void twoServersCountInStepsOfTwo() {
        try (DistributedIds ids = open(BOTH, STRICT)) {
            List<Long> taken = List.of(ids.next("photos"), ids.next("photos"), ids.next("photos"), ids.next("photos"));

            assertThat(taken).containsExactly(3L, 2L, 5L, 4L);
        }
    }

    @Test
    void eachServerGetsItsOwnIdsBack() throws SQLException {
        try (DistributedIds ids = open(BOTH, Map.of("block.min", "100"))) {
            for (int i = 0; i < 100; i++) {
                ids.next("photos");
            }
            ids.next("photos");
        }
        assertThat(value(ONE, "photos")).isEqualTo(201);
        assertThat(value(TWO, "photos")).isEqualTo(2);
    }

    @Test
    void anotherListOfServersIsRefused() {
        open(BOTH, STRICT).close();
        next(BOTH);

        assertRefused(
                TWO + ", " + ONE,
                "jdbc:h2:mem:two table=sequence is server 2 of 2, but distributedid.sequence_table.servers"
                        + " makes it server 1 of 2");
        assertRefused(
                ONE,
                "jdbc:h2:mem:one table=sequence is server 1 of 2, but distributedid.sequence_table.servers makes it"
                        + " server 1 of 1");
    }

    @Test
    void aTableInUseIsNotDividedJustLikeThat() throws SQLException {
        execute(ONE, "CREATE TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL)");
        execute(ONE, "INSERT INTO sequence VALUES ('photos', 41)");

        assertThatThrownBy(() -> next(BOTH))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A sequence table in use can't be divided between servers just like that:"
                        + " jdbc:h2:mem:one table=sequence has a row 'photos'. Move it");
        assertThat(next(ONE)).as("one server goes on with it").isEqualTo(42);
    }

    @Test
    void aRowThatTheServerCanNotHaveGivenIsRefused() throws SQLException {
        next(BOTH);
        execute(ONE, "UPDATE sequence SET id = 10 WHERE name = 'photos'");

        assertThatThrownBy(() -> next(BOTH))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(
                        "A sequence's row has a value that this server never gives: table=sequence name=photos on"
                                + " jdbc:h2:mem:one id=10, increment=2 offset=1. Set it to 11 if no other server gives those ids");
    }

    @Test
    void aTableThatIsDividedOtherwiseMeanwhileGivesNoIdToTheOldClients() throws SQLException {
        try (DistributedIds ids = open(ONE, Map.of("block.max", "1", "block.timeout", "200ms"))) {
            ids.next("photos");
            execute(ONE, "UPDATE sequence SET id = 2 WHERE name = '@servers'");

            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining(
                            "is server 1 of 2, but distributedid.sequence_table.servers makes it server 1 of 1");
        }
        assertThat(value(ONE, "photos")).isEqualTo(1);
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
            assertThatThrownBy(() -> ids.requireAbove("photos", 777))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage(
                            "A counter would give ids that exist: table=sequence name=photos on jdbc:h2:mem:one id=16, but"
                                    + " there is an id 777 already. Set distributedid.existing_ids=raise, or raise it:"
                                    + " UPDATE sequence SET id = 777 WHERE name = 'photos'");

            assertThat(ids.raiseAbove("photos", List.of(shard), "photo", "id")).isEqualTo(777);
            assertThat(ids.next("photos")).isEqualTo(778);
            ids.requireAbove("photos", 777);
        }
    }

    @Test
    void ofSeveralServersTheOneThatGaveAnExistingIdMustLieAboveIt() throws SQLException {
        try (DistributedIds ids = open(BOTH, STRICT)) {
            ids.next("photos");
            ids.next("photos");
            ids.requireAbove("photos", 2);
            execute(TWO, "CREATE TABLE photo (id BIGINT PRIMARY KEY)");
            execute(TWO, "INSERT INTO photo VALUES (3), (5), (50)");
            execute(TWO, "UPDATE sequence SET id = 50 WHERE name = 'photos'");
            try (Connection connection = DriverManager.getConnection(TWO)) {
                assertThatThrownBy(() -> ids.requireAbove("photos", connection, "photo", "id"))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageStartingWith("A counter would give ids that exist: table=sequence name=photos on"
                                + " jdbc:h2:mem:one id=3, but there is an id 5 already.");

                execute(ONE, "UPDATE sequence SET id = 5 WHERE name = 'photos'");
                ids.requireAbove("photos", connection, "photo", "id");
            }
        }
    }

    @Test
    void aServerWhoseRowWentBackIsRaisedAboveTheOthers() throws SQLException {
        try (DistributedIds ids = open(BOTH, STRICT)) {
            for (int i = 0; i < 10; i++) {
                ids.next("photos");
            }
            execute(ONE, "UPDATE sequence SET id = 1 WHERE name = 'photos'");

            assertThat(List.of(ids.next("photos"), ids.next("photos"), ids.next("photos"), ids.next("photos")))
                    .as("the other server then lags by more than ten millions, and is raised too")
                    .containsExactly(20_000_013L, 20_000_014L, 20_000_015L, 20_000_016L);
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
                                        + " jdbc:h2:mem:one gave id=3 to this process and lies below it now. Raise it"
                                        + " above every id in use and restart:"
                                        + " UPDATE sequence SET id = <id> WHERE name = 'photos'");
            }
        }
        execute(ONE, "UPDATE sequence SET id = 1000 WHERE name = 'photos'");
        assertThat(next(ONE)).isEqualTo(1001);
    }

    @Test
    void theEndOfTheRangeIsAnError() throws SQLException {
        next(ONE);
        execute(ONE, "UPDATE sequence SET id = 9223372036854775800 WHERE name = 'photos'");

        assertThatThrownBy(() -> next(ONE))
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessageStartingWith(
                        "The sequence has come to 2^63-1: table=sequence name=photos on jdbc:h2:mem:one");
    }

    @Test
    void theOtherServerGoesOnWhenOneIsGone() throws SQLException {
        H2Servers second = H2Servers.start();
        String remote = second.url("two");
        try (DistributedIds ids = open(ONE + ", " + remote, STRICT)) {
            ids.next("photos");
            ids.next("photos");
            second.close();

            for (int i = 0; i < 10; i++) {
                assertThat(ids.next("photos") % 2).isEqualTo(1);
            }
        }
    }

    private static void assertRefused(String servers, String message) {
        assertThatThrownBy(() -> next(servers))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("Clients must divide the sequence table between the same servers: " + message);
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
                DistributedIdSettings.BACKEND, "sequence_table",
                DistributedIdSettings.SEQUENCE_TABLE_SERVERS, servers,
                DistributedIdSettings.SEQUENCE_TABLE_CREATE_TABLE, "true"));
        more.forEach((name, value) -> settings.put(DistributedIdSettings.PREFIX + name, value));
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
