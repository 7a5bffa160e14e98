package io.distributedid.backend.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdHealth;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.IdShard;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each test has sequences of its own, since a counter lives as long as the JVM. */
class MemoryBackendTest {

    private static final String APP = "jdbc:h2:mem:memory_app;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("memory_app");
    }

    @Test
    void contextsOfOneJvmShareTheirCounters() {
        try (DistributedIds first = open();
                DistributedIds second = open()) {
            assertThat(first.next("shared")).isEqualTo(1_000_001);
            assertThat(second.next("shared")).isEqualTo(1_000_002);
            assertThat(first.next("shared")).isEqualTo(1_000_003);
            assertThat(second.next("other")).isEqualTo(1_000_001);
        }
        try (DistributedIds third = open()) {
            assertThat(third.next("shared")).as("after both were closed").isEqualTo(1_000_004);
        }
    }

    @Test
    void saysOnceThatItIsForTests() {
        try (LoggedWarnings warnings = LoggedWarnings.ofPackage(DistributedIds.class.getPackage());
                DistributedIds ids = open()) {
            ids.next("loud");
            ids.next("louder");

            assertThat(warnings.messages())
                    .containsExactly("Ids are counted in the memory of this JVM, which is for tests only: another"
                            + " process gives the same ids. Outside tests, set distributedid.backend to ticket,"
                            + " sequence_table, snowflake, next_id or remote (distributedid.backend=memory)");
        }
    }

    @Test
    void beginsWhereTheSettingSays() {
        try (DistributedIds ids = open("distributedid.memory.start", "17")) {
            assertThat(ids.next("begun")).isEqualTo(17);
        }
        try (DistributedIds ids = open("distributedid.memory.start", "5")) {
            assertThat(ids.next("begun")).as("a counter never goes back").isEqualTo(18);
        }
    }

    @Test
    void aStartAboveTheTypeIsRefused() {
        try (DistributedIds ids = open("distributedid.memory.start", "3000000000")) {
            assertThatThrownBy(() -> ids.sequence("narrow", Integer.MAX_VALUE, "Photo.id"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.memory.start=3000000000,"
                            + " allowed: a number from 1 to 2147483647, since sequence 'narrow' (Photo.id) stores no"
                            + " larger ids");
        }
    }

    @Test
    void beginsAboveTheIdsThatExist() throws SQLException {
        execute("CREATE TABLE photo (id BIGINT PRIMARY KEY)", "INSERT INTO photo VALUES (1), (2000000)");
        try (DistributedIds ids = open();
                Connection connection = DriverManager.getConnection(APP)) {
            assertThat(ids.next("existing")).isEqualTo(1_000_001);

            ids.admin().requireAbove("existing", connection, "photo", "id");

            assertThat(ids.next("existing")).isEqualTo(2_000_001);
            ids.admin().raise("existing", 3_000_000);
            assertThat(ids.next("existing")).isEqualTo(3_000_001);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {Integer.MAX_VALUE, Long.MAX_VALUE})
    void nothingComesAfterTheLastId(long most) {
        String sequence = "last" + most;
        try (DistributedIds ids = open()) {
            ids.sequence(sequence, most, "Photo.id");
            ids.admin().raise(sequence, most - 1);
            assertThat(ids.next(sequence)).isEqualTo(most);

            assertThatThrownBy(() -> ids.next(sequence))
                    .isInstanceOf(IdsExhaustedException.class)
                    .hasMessage("The sequence '" + sequence + "' (Photo.id) has no ids left: last=" + most
                            + ", allowed: up to " + most + ". If a row of the test data has such a large id, give the"
                            + " row a smaller id");
        }
    }

    @Test
    void anIdCarriesItsShard() {
        try (DistributedIds ids = open("distributedid.shard.from", "caller")) {
            long before = ids.nextOnShard("carried", 0);
            for (long shard : new long[] {0, 5, 8191}) {
                long id = ids.nextOnShard("carried", shard);

                assertThat(ids.shard("carried").of(id)).isEqualTo(shard);
                assertThat(ids.decode("carried", id).field("shard")).isEqualTo(shard);
                assertThat(id).isGreaterThan(before);
                before = id;
            }
            assertThat(ids.shard("carried")).isEqualTo(new IdShard(13, 0));
            assertThatThrownBy(() -> ids.nextOnShard("carried", 8192))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("A shard must exist: shard=8192, allowed: 0 to 8191 (distributedid.shard.count)");
            assertThatThrownBy(() -> ids.next("carried")).hasMessageContaining("carry a shard, which must be given");
        }
    }

    /** Contexts may have different settings. */
    @Test
    void idsOfAnyTwoWidthsAreDistinct() {
        try (DistributedIds plain = open();
                DistributedIds few = open("distributedid.shard.from", "caller", "distributedid.shard.count", "16");
                DistributedIds many =
                        open("distributedid.shard.from", "caller", "distributedid.shard.count", "100000")) {
            assertThat(many.shard("widths")).isEqualTo(new IdShard(17, 0));
            long last = 0;
            for (int i = 0; i < 3; i++) {
                for (long id : new long[] {
                    plain.next("widths"), few.nextOnShard("widths", 15), many.nextOnShard("widths", 99_999)
                }) {
                    assertThat(id).isGreaterThan(last);
                    last = id;
                }
            }
        }
    }

    @Test
    void moreShardsThanFitAreRefused() {
        try (DistributedIds ids =
                open("distributedid.shard.from", "caller", "distributedid.shard.count", "3000000000")) {
            assertThatThrownBy(() -> ids.nextOnShard("crowded", 1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid.shard.count=3000000000,"
                            + " allowed: a number from 1 to 2147483648");
        }
    }

    @Test
    void answersAsEveryBackendDoes() {
        try (DistributedIds ids = open()) {
            long id = ids.next("answers");

            assertThat(ids.health().status()).isEqualTo(IdHealth.Status.UP);
            assertThat(ids.statistics("answers"))
                    .hasValueSatisfying(found -> assertThat(found.issued()).isEqualTo(1));
            assertThat(ids.admin().counters("answers").lastIds()).containsExactly(Map.entry("memory", id));
            assertThat(ids.decode("answers", id)).hasToString(Long.toString(id));
            assertThatThrownBy(() -> ids.time("answers"))
                    .hasMessageStartingWith("The ids of a sequence must hold the time: seq=answers");
            assertThatThrownBy(() -> ids.decode("answers", 0)).hasMessage("An id must be positive: id=0");
            assertThat(ids.admin().check("answers"))
                    .singleElement()
                    .satisfies(result -> assertThat(result.status()).isEqualTo(CheckResult.Status.FAILED))
                    .satisfies(result -> assertThat(result.detail()).startsWith("Ids are counted in the memory"));
        }
    }

    @Test
    void goesOnAfterASuspend() {
        try (DistributedIds ids = open()) {
            long before = ids.next("suspended");

            ids.beginAnew();

            assertThat(ids.next("suspended")).isEqualTo(before + 1);
        }
    }

    @Test
    void aClosedContextGivesNoIdsOfTheOthers() {
        DistributedIds ids = open();
        ids.next("closed");
        ids.close();

        assertThatThrownBy(() -> ids.next("closed")).isInstanceOf(IdUnavailableException.class);
    }

    /** Production's database by mistake; or the database of tests in production. */
    @Test
    void aDatabaseWithIdsOfAnotherPlaceIsRefused() throws SQLException {
        Map<String, String> table =
                Map.of("distributedid.backend", "sequence_table", "distributedid.create_tables", "true");
        try (DistributedIds real = openWithDatabase(table);
                DistributedIds test = openWithDatabase(Map.of("distributedid.backend", "memory"))) {
            real.next("production");
            assertThatThrownBy(() -> test.next("production"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith(
                            "A sequence takes its ids from a different place than before: seq=production"
                                    + " token=memory,");

            test.next("tests");
            assertThatThrownBy(() -> real.next("tests"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("holds ids of token=memory");
        }
    }

    private static DistributedIds openWithDatabase(Map<String, String> settings) {
        return DistributedIds.builder()
                .settings(settings)
                .applicationDatabase(new ConnectionAccess() {
                    @Override
                    public Connection obtain() throws SQLException {
                        return DriverManager.getConnection(APP);
                    }

                    @Override
                    public String label() {
                        return "app";
                    }
                })
                .build();
    }

    private static DistributedIds open(String... more) {
        Map<String, Object> settings = new LinkedHashMap<>(Map.of("distributedid.backend", "memory"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return DistributedIds.create(settings);
    }

    private static void execute(String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(APP);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
