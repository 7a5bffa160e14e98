package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.internal.jdbc.Durability;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.StartedServers;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A commit of ids is as durable as the server can make it, whatever the session's defaults are. */
@ExtendWith(StartedServers.class)
class DurabilityTest {

    private static final String LOSES = "A server that loses its last commits in a crash may give ids twice: ";

    /** As a pool would: what the session was set to is left to the next borrower. */
    private Connection pooled;

    @BeforeEach
    void create() throws SQLException {
        pooled = DriverManager.getConnection(Postgres.url());
        execute("CREATE TABLE counters (name VARCHAR(50) PRIMARY KEY, id BIGINT NOT NULL)");
        execute("CREATE TABLE commits (how TEXT)");
        execute("CREATE FUNCTION log_commit() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN INSERT INTO commits"
                + " VALUES (current_setting('synchronous_commit')); RETURN NEW; END $$");
        execute("CREATE TRIGGER log_commit AFTER INSERT OR UPDATE ON counters FOR EACH ROW EXECUTE FUNCTION"
                + " log_commit()");
    }

    @AfterEach
    void drop() throws SQLException {
        pooled.close();
        pooled = DriverManager.getConnection(Postgres.url());
        execute("DROP TABLE IF EXISTS counters, commits, distributedid");
        execute("DROP FUNCTION log_commit");
        pooled.close();
    }

    @ParameterizedTest
    @CsvSource({"off, on", "local, on", "on, on", "remote_write, remote_write", "remote_apply, remote_apply"})
    void aSessionThatCommitsInMemoryIsRaisedAndSetBack(String before, String during) throws SQLException {
        execute("SET SESSION synchronous_commit = " + before);

        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                pool(),
                "distributedid.sequence_table.table",
                "counters",
                "distributedid.create_tables",
                true))) {
            assertThat(ids.next("photos")).isEqualTo(1);
        }

        assertThat(text("SELECT string_agg(DISTINCT how, ' ') FROM commits")).isEqualTo(during);
        assertThat(text("SHOW synchronous_commit")).as("given back").isEqualTo(before);
    }

    /** As PgBouncer does with {@code pool_mode=transaction}. */
    @Test
    void aPoolerThatRunsEachTransactionInAnotherSessionLosesNoCommit() throws Exception {
        List<Connection> sessions = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            sessions.add(weakSession());
        }
        List<String> names = List.of("photos", "users", "albums", "tags");
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                pooler(sessions),
                "distributedid.sequence_table.table",
                "counters",
                "distributedid.create_tables",
                true,
                "distributedid.block.min",
                2,
                "distributedid.block.max",
                2))) {
            names.parallelStream().forEach(name -> {
                for (int id = 1; id <= 40; id++) {
                    assertThat(ids.next(name)).isEqualTo(id);
                }
            });
        }
        for (Connection session : sessions) {
            session.close();
        }

        assertThat(text("SELECT string_agg(DISTINCT how, ' ') FROM commits")).isEqualTo("on");
    }

    private static Connection weakSession() throws SQLException {
        Connection session = DriverManager.getConnection(Postgres.url());
        try (Statement statement = session.createStatement()) {
            statement.execute("SET SESSION synchronous_commit = off");
        }
        return session;
    }

    /** Runs statements in autocommit mode in other sessions by turns, and transactions in one of its own. */
    private DataSource pooler(List<Connection> sessions) {
        AtomicInteger turn = new AtomicInteger();
        PGSimpleDataSource other = new PGSimpleDataSource();
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {DataSource.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("getConnection")) {
                        return method.invoke(other, arguments);
                    }
                    Connection own = weakSession();
                    return Proxy.newProxyInstance(
                            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (lent, call, values) -> {
                                boolean isAlone = call.getName().matches("createStatement|prepareStatement")
                                        && own.getAutoCommit();
                                Connection session = isAlone
                                        ? sessions.get(Math.floorMod(turn.getAndIncrement(), sessions.size()))
                                        : own;
                                try {
                                    return call.invoke(session, values);
                                } catch (InvocationTargetException e) {
                                    throw e.getCause();
                                }
                            });
                });
    }

    @Test
    void aServerThatFlushesNothingIsWarnedOfOnce() throws Exception {
        EmbeddedPostgres server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "off")
                .setServerConfig("full_page_writes", "off")
                .start());
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class)) {
            String url = server.getJdbcUrl("postgres", "postgres");
            for (int start = 1; start <= 2; start++) {
                assertThat(first(url)).isGreaterThanOrEqualTo(start);
            }

            String label = url.substring(0, url.indexOf('?'));
            assertThat(warnings.messages())
                    .containsExactly(
                            LOSES + label + " fsync=off, allowed: on. Write into postgresql.conf: fsync=on"
                                    + Pages.onCall("durability"),
                            LOSES + label + " full_page_writes=off, allowed: on. Write into postgresql.conf:"
                                    + " full_page_writes=on" + Pages.onCall("durability"));
        }
    }

    @Test
    void ofADurableServerNothingIsSaid() throws Exception {
        EmbeddedPostgres server = StartedServers.add(EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .setServerConfig("fsync", "on")
                .setServerConfig("full_page_writes", "on")
                .start());
        try (LoggedWarnings warnings = LoggedWarnings.of(Durability.class)) {
            first(server.getJdbcUrl("postgres", "postgres"));

            assertThat(warnings.messages()).isEmpty();
        }
    }

    private static long first(String url) {
        try (DistributedIds ids = DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                url,
                "distributedid.create_tables",
                true,
                "distributedid.timeout",
                "30s"))) {
            return ids.next("photos");
        }
    }

    private DataSource pool() {
        Connection kept = pooled;
        Object lent = Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("close")) {
                        return null;
                    }
                    try {
                        return method.invoke(kept, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        PGSimpleDataSource other = new PGSimpleDataSource();
        return (DataSource) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {DataSource.class},
                (proxy, method, arguments) ->
                        method.getName().equals("getConnection") ? lent : method.invoke(other, arguments));
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = pooled.createStatement()) {
            statement.execute(sql);
        }
    }

    private String text(String sql) throws SQLException {
        try (Statement statement = pooled.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getString(1);
        }
    }
}
