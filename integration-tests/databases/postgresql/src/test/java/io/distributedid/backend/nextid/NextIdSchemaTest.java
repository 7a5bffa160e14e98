package io.distributedid.backend.nextid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.postgresql.Postgres;
import io.distributedid.spi.IdShard;
import io.distributedid.testkit.Together;
import java.io.StringReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.PGConnection;

/** Functions that are created, created again, moved and refused. */
class NextIdSchemaTest {

    private static final Map<String, String> SETTINGS = Shards.settings(NextIdForm.HARDENED);

    private static final int PROCESSES = 8;

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = Shards.connect();
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
    }

    @ParameterizedTest
    @EnumSource
    void creatingItAgainChangesNothing(NextIdForm form) throws SQLException {
        Shards.create(connection, "again", form);
        long first = Shards.id(connection, "again");
        long row = functionRow();

        NextIdSchema.create(connection, Shards.settings(form), "again", Shards.SHARD);

        assertThat(functionRow()).isEqualTo(row);
        assertThat(Shards.id(connection, "again")).isGreaterThan(first);
    }

    private long functionRow() throws SQLException {
        return Shards.number(
                connection, "SELECT xmin::text::bigint FROM pg_proc WHERE oid = 'again.next_id()'::regprocedure");
    }

    @Test
    void aFunctionThatMakesOtherIdsIsNotReplaced() throws SQLException {
        Shards.create(connection, "other", NextIdForm.HARDENED);

        assertThatThrownBy(() -> NextIdSchema.create(connection, SETTINGS, "other", 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("A function must keep its shard, form and layout: function=other.next_id"
                        + " found=distributedid 1 other.next_id: shard=1341, form=hardened, time(ms):40, shard:13,"
                        + " sequence:10 from 2011-08-24T21:07:01.721Z until 2046, wanted: shard=7, form=hardened, ");
        assertThatThrownBy(() ->
                        NextIdSchema.create(connection, Shards.settings(NextIdForm.INSTAGRAM), "other", Shards.SHARD))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("form=instagram");
        assertThat(Shards.LAYOUT.decode(Shards.id(connection, "other")).field("shard"))
                .isEqualTo(Shards.SHARD);
    }

    @Test
    void norIsOneThatSomebodyElseWrote() throws SQLException {
        Shards.recreate(connection, "foreign_one");
        Shards.execute(
                connection, "CREATE FUNCTION foreign_one.next_id() RETURNS bigint LANGUAGE sql AS 'SELECT 5::bigint'");

        assertThatThrownBy(() -> NextIdSchema.create(connection, SETTINGS, "foreign_one", 7))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("function=foreign_one.next_id found=, wanted: shard=7, ");
        assertThat(Shards.id(connection, "foreign_one")).isEqualTo(5);
    }

    @Test
    void manyMayCreateItAtOnce() throws Exception {
        Shards.recreate(connection, "at_once");
        List<Long> ids = Together.runPrepared(PROCESSES, (number, start) -> {
            try (Connection own = Shards.connect()) {
                start.await();
                NextIdSchema.create(own, SETTINGS, "at_once", Shards.SHARD);
                return Shards.id(own, "at_once");
            }
        });

        assertThat(ids).doesNotHaveDuplicates();
    }

    @Test
    void withoutASchemaItLiesWhereTheConnectionIs() throws SQLException {
        Shards.recreate(connection, "\"Here\"", "elsewhere");
        Shards.execute(connection, "CREATE SEQUENCE elsewhere.next_id_seq");
        Shards.execute(connection, "SET search_path = \"Here\", elsewhere");
        Map<String, String> settings = Map.of("distributedid.backend", "next_id", "distributedid.next_id.shard", "9");
        for (int i = 0; i < 2; i++) {
            for (String ddl : IdAdmin.ddl(settings, "postgresql")) {
                Shards.execute(connection, ddl);
            }
        }
        Shards.execute(connection, "SET search_path = elsewhere");

        assertThat(Shards.LAYOUT.decode(Shards.id(connection, "\"Here\"")).field("shard"))
                .isEqualTo(9);
        assertThat(Shards.number(connection, "SELECT nextval('next_id_seq')")).isEqualTo(1);
    }

    @Test
    void aSchemaThatGotAnotherNameGoesOnOnceItIsCreatedAgain() throws SQLException {
        Shards.execute(connection, "DROP SCHEMA IF EXISTS renamed CASCADE");
        Shards.create(connection, "named", NextIdForm.HARDENED);
        long before = Shards.id(connection, "named");
        Shards.execute(connection, "ALTER SCHEMA named RENAME TO renamed");
        NextIdSource source = new NextIdSource(
                new FunctionName("renamed.next_id"),
                NextIdForm.HARDENED,
                Long.MAX_VALUE,
                new IdShard(13, 10),
                OptionalLong.empty());

        assertThatThrownBy(() -> source.next(connection, 1))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("The sequence of the function that makes ids is missing: ")
                .hasMessageContaining("If its schema has another name now, create the function again");

        NextIdSchema.create(connection, SETTINGS, "renamed", Shards.SHARD);
        assertThat(source.next(connection, 1)[0]).isGreaterThan(before);
    }

    @ParameterizedTest
    @EnumSource
    void aShardGoesOnInAnotherDatabase(NextIdForm form) throws SQLException {
        Shards.create(connection, "moved", form);
        List<Long> ids = new ArrayList<>(Shards.ids(connection, "moved", 3_000));
        long state = Shards.number(connection, "SELECT last_value FROM moved.next_id_seq");
        Shards.execute(connection, "DROP DATABASE IF EXISTS other_server");
        Shards.execute(connection, "CREATE DATABASE other_server");
        String url = Postgres.url().replace("/postgres?", "/other_server?");
        try (Connection target = DriverManager.getConnection(url)) {
            Shards.create(target, "moved", form);
            Shards.execute(target, "SELECT setval('moved.next_id_seq', " + state + ")");
            ids.addAll(Shards.ids(target, "moved", 100));

            assertThat(Shards.number(target, "SELECT last_value FROM moved.next_id_seq"))
                    .isGreaterThan(state);
        }

        assertThat(ids).doesNotHaveDuplicates();
        if (form == NextIdForm.HARDENED) {
            assertThat(ids).isSorted();
        }
    }

    @Test
    void aColumnHasItAsDefaultInEveryKindOfInsert() throws Exception {
        Shards.create(connection, "defaults", NextIdForm.HARDENED);
        Shards.execute(
                connection,
                "CREATE TABLE defaults.photo (id bigint NOT NULL DEFAULT defaults.next_id() PRIMARY KEY, name text)");
        Shards.execute(connection, "INSERT INTO defaults.photo (name) VALUES ('a'), ('b')");
        Shards.execute(connection, "INSERT INTO defaults.photo (name) SELECT 'c' FROM generate_series(1, 2000)");
        connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyIn("COPY defaults.photo (name) FROM STDIN", new StringReader("d\ne\nf\n"));

        assertThat(Shards.number(connection, "SELECT count(*) FROM defaults.photo"))
                .isEqualTo(2_005);
    }
}
