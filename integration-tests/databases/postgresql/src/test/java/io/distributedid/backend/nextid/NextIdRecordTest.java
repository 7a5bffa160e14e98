package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import io.distributedid.testkit.Await;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A shard's number belongs to one function of a database, whatever its schema and name, and so does its layout. */
class NextIdRecordTest {

    private static final int IDS = 30_000;

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Shards.connect();
        Shards.recreate(connection, "one", "two");
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    private static Map<String, Object> settings(String... more) {
        Map<String, Object> settings = new HashMap<>(Shards.settings(NextIdForm.HARDENED));
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return settings;
    }

    private void create(String schema, long shard, String... more) throws SQLException {
        NextIdSchema.create(connection, settings(more), schema, shard);
    }

    /** All ids of both, unless the second is refused. */
    private String takeFromBoth(String schema, String function) throws Exception {
        create("one", 5);
        try {
            create(schema, 5, "next_id.function", function);
        } catch (IdConfigurationException e) {
            return e.getMessage();
        }
        ExecutorService threads = Executors.newFixedThreadPool(2);
        try {
            List<Future<List<Long>>> taken = new ArrayList<>();
            for (String name : List.of("one.next_id", schema + "." + function)) {
                taken.add(threads.submit(() -> {
                    try (Connection own = Shards.connect()) {
                        return Shards.numbers(own, "SELECT " + name + "() FROM generate_series(1, " + IDS + ")");
                    }
                }));
            }
            List<Long> all = new ArrayList<>();
            for (Future<List<Long>> each : taken) {
                all.addAll(each.get());
            }
            assertThat(all.size() - new HashSet<>(all).size())
                    .as("given twice, of %d", all.size())
                    .isZero();
            return "none of them twice";
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aSecondSchemaForAShardIsRefused() throws Exception {
        assertThat(takeFromBoth("two", "next_id"))
                .contains("Two functions of a database must not make the same ids: function=two.next_id shard=5")
                .contains("found one.next_id: shard=5");
    }

    @Test
    void aSecondFunctionForAShardIsRefused() throws Exception {
        assertThat(takeFromBoth("one", "other_id"))
                .contains("Two functions of a database must not make the same ids: function=one.other_id shard=5")
                .contains("found one.next_id: shard=5");
    }

    @Test
    void ofTwoWhoCreateThemAtOnceTheSecondWaitsAndIsRefused() throws Exception {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        try (Connection other = Shards.connect()) {
            connection.setAutoCommit(false);
            create("one", 5);
            Future<?> second = threads.submit(() -> {
                NextIdSchema.create(other, settings(), "two", 5);
                return null;
            });
            String waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
            Await.until("the second waits", () -> second.isDone() || Shards.number(connection, waiting) > 0);
            connection.commit();

            assertThatThrownBy(second::get)
                    .cause()
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("found one.next_id: shard=5");
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void aTransactionThatWouldNotSeeTheOthersFunctionIsRefused() throws SQLException {
        connection.setAutoCommit(false);
        connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);

        assertThatThrownBy(() -> create("one", 5))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(
                        "To create a function, a transaction must see the functions of other transactions:"
                                + " function=one.next_id isolation=repeatable read, allowed: read committed");
        connection.rollback();
    }

    @Test
    void neitherSearchPathNorPrivilegesHideAFunction() throws SQLException {
        create("one", 5);
        Shards.execute(connection, "DROP ROLE IF EXISTS tenant");
        Shards.execute(connection, "CREATE ROLE tenant");
        Shards.execute(connection, "GRANT ALL ON SCHEMA two TO tenant");
        Shards.execute(connection, "SET search_path = two");
        Shards.execute(connection, "SET ROLE tenant");
        try {
            assertThatThrownBy(() -> create("two", 5))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("found one.next_id: shard=5");
        } finally {
            Shards.execute(connection, "RESET ROLE");
            Shards.execute(connection, "DROP OWNED BY tenant");
            Shards.execute(connection, "DROP ROLE tenant");
        }
    }

    @Test
    void allFunctionsOfANameHaveOneLayoutAndEpoch() throws SQLException {
        create("one", 5);

        assertThatThrownBy(() -> create("two", 6, "next_id.layout", "time(ms):41, shard:12, sequence:10"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("function=two.next_id shard=6, time(ms):41, shard:12, sequence:10 from ")
                .hasMessageContaining("found one.next_id: shard=5");
        assertThatThrownBy(() -> create("two", 6, "next_id.epoch", "2024-01-01T00:00:00Z"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(" and all of them one layout and epoch");
        create("two", 6);
        create("two", 7, "next_id.function", "view_id", "next_id.epoch", "2024-01-01T00:00:00Z");
    }

    @Test
    void aSequenceRemembersItsLayoutWhenItsFunctionIsDropped() throws SQLException {
        create("one", 5);
        Shards.execute(connection, "DROP FUNCTION one.next_id()");
        Shards.execute(connection, "DROP FUNCTION one.next_id(integer)");

        assertThatThrownBy(() -> create("one", 5, "next_id.epoch", "2024-01-01T00:00:00Z"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A function's sequence must keep its shard and layout: sequence=one.next_id_seq"
                        + " found=distributedid 1 one.next_id_seq: shard=5, time(ms):40, shard:13, sequence:10 from"
                        + " 2011-08-24T21:07:01.721Z until 2046, wanted: shard=5, time(ms):40, shard:13, sequence:10"
                        + " from"
                        + " 2024-01-01T00:00:00Z until 2058");
        create("one", 5);
    }

    @Test
    void oneSettingsMayNameAFunctionForEachSequence() throws SQLException {
        String[] both = {"seq.photos.next_id.function", "photo_id"};
        create("one", 5, both);
        create("one", 5, both);
        Shards.execute(connection, "SET search_path = one");

        try (DistributedIds ids = DistributedIds.create(settings(both))) {
            assertThat(((ConnectionIdSource) ids.sequence("photos")).next(connection, 1))
                    .hasSize(1);
            assertThat(((ConnectionIdSource) ids.sequence("users")).next(connection, 1))
                    .hasSize(1);
        }
        assertThatThrownBy(() -> create("two", 5, both))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("found one.next_id: shard=5");
    }

    @Test
    void aShardMayComeBackToASchemaThatWasPutAside() throws SQLException {
        Shards.execute(connection, "DROP SCHEMA IF EXISTS one_moved CASCADE");
        create("one", 5);
        Shards.execute(connection, "ALTER SCHEMA one RENAME TO one_moved");
        Shards.execute(connection, "CREATE SCHEMA one");

        create("one", 5);

        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            ids.add(Shards.id(connection, i % 2 == 0 ? "one" : "one_moved"));
        }
        assertThat(ids).as("of one sequence").doesNotHaveDuplicates();
    }

    @Test
    void aFunctionThatWasRenamedMakesRoomForOneOfTheSameSequence() throws SQLException {
        create("one", 5, "next_id.form", "instagram");
        Shards.execute(connection, "ALTER FUNCTION one.next_id() RENAME TO next_id_before");

        create("one", 5);

        assertThat(Shards.ids(connection, "one", 3)).doesNotHaveDuplicates();
    }

    /** As an older version created it, which looked at nothing. */
    private void createUnseen(String schema, long shard) throws SQLException {
        String comment;
        try (Statement statement = connection.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT obj_description('one.next_id()'::regprocedure, 'pg_proc')")) {
            row.next();
            comment = row.getString(1);
        }
        Shards.execute(connection, "COMMENT ON FUNCTION one.next_id() IS NULL");
        create(schema, shard);
        Shards.execute(connection, "COMMENT ON FUNCTION one.next_id() IS '" + comment + "'");
    }

    @Test
    void theFirstIdOfAShardIsRefusedIfTwoFunctionsMakeIt() throws SQLException {
        create("one", 5);
        createUnseen("two", 5);
        try (DistributedIds ids = DistributedIds.create(settings())) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");
            for (String schema : List.of("one", "two")) {
                Shards.execute(connection, "SET search_path = " + schema);
                assertThatThrownBy(() -> source.next(connection, 1))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageStartingWith(
                                "Two functions of a database must not make the same ids: function=next_id shard=5, ")
                        .hasMessageContaining(
                                "found " + (schema.equals("one") ? "two" : "one") + ".next_id: shard=5, ");
            }
        }
    }

    @Test
    void aShardIsLookedAtOnce() throws SQLException {
        create("one", 5);
        try (DistributedIds ids = DistributedIds.create(settings("next_id.function", "one.next_id"))) {
            ConnectionIdSource source = (ConnectionIdSource) ids.sequence("photos");
            source.next(connection, 1);
            createUnseen("two", 5);

            assertThat(source.next(connection, 1)).as("no look, no round trip").hasSize(1);
        }
    }

    private static DistributedIds own(String schema, Map<String, Object> settings) {
        return DistributedIds.builder()
                .settings(settings)
                .applicationDatabase(new ConnectionAccess() {
                    @Override
                    public Connection obtain() throws SQLException {
                        return Shards.connect();
                    }

                    @Override
                    public Optional<String> namespace() {
                        return Optional.of(schema);
                    }

                    @Override
                    public String label() {
                        return "own database";
                    }
                })
                .build();
    }

    @Test
    void theStartIsRefusedIfAnotherFunctionMakesTheShard() throws SQLException {
        create("one", 5);
        try (DistributedIds ids = own("two", settings("next_id.shard", "5"))) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(
                            "Two functions of a database must not make the same ids: function=two.next_id shard=5, ")
                    .hasMessageContaining("found one.next_id: shard=5, ");
        }
    }

    @Test
    void theStartRefusesAnEpochThatIsADayOff() throws SQLException {
        create("one", 5);
        Map<String, Object> settings = settings("next_id.shard", "5", "next_id.epoch", "2011-08-25T21:07:01.721Z");
        try (DistributedIds ids = own("one", settings)) {
            assertThatThrownBy(() -> ids.sequence("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("The settings must match the function: function=one.next_id makes shard=5,"
                            + " form=hardened, time(ms):40, shard:13, sequence:10 from 2011-08-24T21:07:01.721Z"
                            + " until 2046,"
                            + " settings: shard=5, form=hardened, time(ms):40, shard:13, sequence:10 from"
                            + " 2011-08-25T21:07:01.721Z until 2046.");
        }
    }
}
