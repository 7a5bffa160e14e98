package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sequence tables are refused on PostgreSQL: those that may give ids twice at their end or after a crash. */
@ExtendWith(StartedServers.class)
class SequenceTableLookTest {

    private static final String LABEL =
            Postgres.url().substring(0, Postgres.url().indexOf('?'));

    @AfterEach
    void drop() throws SQLException {
        execute("DROP TABLE IF EXISTS looked_at CASCADE");
        execute("DROP TABLE IF EXISTS distributedid");
    }

    @ParameterizedTest
    @ValueSource(strings = {"INT", "NUMERIC", "NUMERIC(18)", "NUMERIC(20, 1)", "DOUBLE PRECISION", "MONEY"})
    void anIdColumnThatDoesNotHoldAllIdsIsRefused(String type) throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, id " + type + " NOT NULL");

        refuses("A sequence table's ids must be whole numbers of 64 bits: table=public.looked_at on " + LABEL + " id=")
                .hasMessageContaining(", allowed: BIGINT, NUMERIC(19) or wider. Give the column that type:"
                        + " ALTER TABLE public.looked_at ALTER COLUMN id SET DATA TYPE BIGINT");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIGINT", "NUMERIC(19)", "NUMERIC(30, 0)"})
    void anIdColumnOf64BitsIsServed(String type) throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, id " + type + " NOT NULL");

        assertThat(first(Postgres.url(), "looked_at")).isEqualTo(1);
        assertThat(first(Postgres.url(), "public.looked_at")).isEqualTo(2);
        assertThat(first(Postgres.url(), "LOOKED_AT")).isEqualTo(3);
    }

    @Test
    void anUnloggedTableIsRefused() throws SQLException {
        execute("CREATE UNLOGGED TABLE looked_at (name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL)");

        refuses("A sequence table must not lose rows in a crash: table=public.looked_at on " + LABEL
                + " persistence=UNLOGGED, allowed: LOGGED. Change it: ALTER TABLE public.looked_at SET LOGGED. If"
                + " the server has"
                + " crashed since the table was created, first raise its rows above every id in use");
        execute("ALTER TABLE looked_at SET LOGGED");
        assertThat(first(Postgres.url(), "looked_at")).isEqualTo(1);
    }

    /** A server process that is killed makes PostgreSQL start over, with all unlogged tables empty. */
    @Test
    void anUnloggedTableIsRefusedBeforeAndAfterTheCrashThatEmptiesIt() throws Exception {
        // By default this server is as fast and as forgetful as it can be.
        EmbeddedPostgres server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("synchronous_commit", "on")
                .start());
        String url = server.getJdbcUrl("postgres", "postgres");
        execute(url, "CREATE UNLOGGED TABLE looked_at (name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL)");
        execute(url, "INSERT INTO looked_at VALUES ('photos', 1000)");
        assertRefused(url);

        killAndAwait(url);

        assertThat(number(url, "SELECT COUNT(*) FROM looked_at"))
                .as("rows after kill -9")
                .isZero();
        assertRefused(url);
    }

    private static void assertRefused(String url) {
        assertThatThrownBy(() -> first(url, "looked_at"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("persistence=UNLOGGED");
    }

    private static void killAndAwait(String url) throws SQLException, InterruptedException, IOException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pg_backend_pid()")) {
            row.next();
            ProcessHandle backend = ProcessHandle.of(row.getLong(1)).orElseThrow();
            backend.destroyForcibly();
            backend.onExit().join();
        }
        AtomicReference<SQLException> refusal = new AtomicReference<>();
        Await.until("the server accepts connections", () -> accepts(url, refusal), refusal::get);
    }

    private static boolean accepts(String url, AtomicReference<SQLException> refusal) {
        try (Connection connection = DriverManager.getConnection(url)) {
            return connection.isValid(60);
        } catch (SQLException e) {
            refusal.set(e);
            return false;
        }
    }

    @Test
    void aTableOfTheSessionIsRefused() {
        String url = Postgres.url() + "&options=-c%20search_path=pg_temp,public";
        assertThatThrownBy(() -> first(url, "created_here"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(" persistence=TEMPORARY, allowed: LOGGED. Name a plain table:"
                        + " distributedid.sequence_table.table");
    }

    @Test
    void aViewIsRefused() throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL");
        execute("CREATE VIEW view_of_it AS SELECT * FROM looked_at");

        assertThatThrownBy(() -> first(Postgres.url(), "view_of_it"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(" persistence=VIEW, allowed: LOGGED. Name a plain table: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "CREATE INDEX ON looked_at (name)",
                "CREATE UNIQUE INDEX ON looked_at (name) WHERE id > 5",
                "CREATE UNIQUE INDEX ON looked_at (lower(name))",
                "CREATE UNIQUE INDEX ON looked_at (name, id)",
                "ALTER TABLE looked_at ADD UNIQUE (name) DEFERRABLE"
            })
    void namesThatMayBeThereTwiceAreRefused(String key) throws SQLException {
        create("name VARCHAR(50) NOT NULL, id BIGINT NOT NULL");
        if (!key.isEmpty()) {
            execute(key);
        }

        refuses("A sequence table must have one row for each name: table=public.looked_at on " + LABEL
                + " has no primary or unique key on the column name alone. Keep the highest row of each name, and add a"
                + " key: ALTER TABLE public.looked_at ADD UNIQUE (name)");
    }

    @Test
    void theKeyThatTheRefusalNamesIsEnough() throws SQLException {
        create("name VARCHAR(50) NOT NULL, id BIGINT NOT NULL");
        execute("ALTER TABLE looked_at ADD UNIQUE (name)");

        assertThat(first(Postgres.url(), "looked_at")).isEqualTo(1);
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refuses(String message) {
        return assertThatThrownBy(() -> first(Postgres.url(), "looked_at"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    private static long first(String url, String table) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                url,
                "distributedid.sequence_table.table",
                table,
                "distributedid.create_tables",
                true,
                "distributedid.block.max",
                1,
                "distributedid.timeout",
                "30s"))) {
            return ids.next("photos");
        }
    }

    private static void create(String columns) throws SQLException {
        execute("CREATE TABLE looked_at (" + columns + ")");
    }

    private static void execute(String sql) throws SQLException {
        execute(Postgres.url(), sql);
    }

    private static void execute(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static long number(String url, String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }
}
