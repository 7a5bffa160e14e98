package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.MySqlTable;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Which sequence tables are refused on MySQL and MariaDB: those that may give ids twice at their end or after a crash.
 */
public abstract class SequenceTableLookContract {

    private static final String SCHEMA = "looks";

    /** A server that may be killed, and whose {@code sql_mode} nobody else needs meanwhile. */
    protected abstract DatabaseServer server();

    /** No mode is strict. */
    @BeforeEach
    void setMode() throws SQLException {
        execute("SET GLOBAL sql_mode = ''");
    }

    @AfterEach
    void drop() throws SQLException {
        execute("SET GLOBAL sql_mode = DEFAULT");
        execute("DROP VIEW IF EXISTS sequence_view");
        execute("DROP TABLE IF EXISTS sequence");
        execute("DROP TABLE IF EXISTS distributedid");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "INT",
                "INT UNSIGNED",
                "MEDIUMINT UNSIGNED",
                "DECIMAL(10)",
                "DECIMAL(20)",
                "DOUBLE",
                "VARCHAR(30)"
            })
    void anIdColumnThatDoesNotHoldAllIdsIsRefused(String type) throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id " + type + " NOT NULL", "InnoDB");

        refuses("A sequence table's ids must be whole numbers of 64 bits: table=sequence on " + label() + " id=")
                .hasMessageContaining(
                        ", allowed: BIGINT UNSIGNED, BIGINT. Give the column that type: ALTER TABLE sequence"
                                + " MODIFY id BIGINT UNSIGNED NOT NULL DEFAULT 0");
        execute("ALTER TABLE sequence MODIFY id BIGINT UNSIGNED NOT NULL DEFAULT 0");
        assertThat(first("sequence")).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIGINT", "BIGINT UNSIGNED", "BIGINT(5) ZEROFILL"})
    void anIdColumnOf64BitsIsServed(String type) throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id " + type + " NOT NULL", "InnoDB");

        assertThat(first("sequence")).isEqualTo(1);
        assertThat(first(SCHEMA + ".sequence")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"MEMORY", "MyISAM"})
    void anEngineWithoutTransactionsIsRefused(String engine) throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL", engine);

        refuses("A sequence table must not lose rows in a crash: table=sequence on " + label() + " engine=" + engine
                + ", allowed: InnoDB. Change it: ALTER TABLE sequence ENGINE=InnoDB. If the server has"
                + " crashed since the table was created, first raise its rows above every id in use");
        execute("ALTER TABLE sequence ENGINE=InnoDB");
        assertThat(first("sequence")).isEqualTo(1);
    }

    @Test
    void aTableThatACrashEmptiesIsRefusedBeforeAndAfterIt() throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL", "MEMORY");
        execute("INSERT INTO sequence VALUES ('photos', 1000)");
        refuses("A sequence table must not lose rows in a crash: ");

        server().kill9();
        server().restart();

        assertThat(rows()).as("rows after kill -9").isZero();
        refuses("A sequence table must not lose rows in a crash: ");
        assertThat(check()).isEqualTo(CheckResult.Status.FAILED);
    }

    @Test
    void aViewIsRefused() throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL", "InnoDB");
        execute("CREATE VIEW sequence_view AS SELECT * FROM sequence");

        assertThatThrownBy(() -> first("sequence_view"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A sequence table must not lose rows in a crash: table=sequence_view on " + label()
                        + " engine=VIEW, allowed: InnoDB. Name a plain table: distributedid.sequence_table.table");
    }

    /** It hides the plain table of the same name, on one connection only. */
    @Test
    void aTableOfTheSessionIsTold() throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL", "InnoDB");
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            assertThat(MySqlTable.read(connection, "sequence").engine()).isEqualTo("InnoDB");

            statement.execute("CREATE TEMPORARY TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT)");

            assertThat(MySqlTable.read(connection, "sequence").engine()).isEqualTo("TEMPORARY");
            assertThat(MySqlTable.read(connection, SCHEMA + ".sequence").engine())
                    .isEqualTo("TEMPORARY");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", KEY (name)", ", UNIQUE (name(3))", ", UNIQUE (name, id)"})
    void namesThatMayBeThereTwiceAreRefused(String key) throws SQLException {
        create("name VARCHAR(50) NOT NULL, id BIGINT NOT NULL" + key, "InnoDB");

        refuses("A sequence table must have one row for each name: table=sequence on " + label()
                + " has no primary or unique key on the column name alone. Keep the highest row of each name, and add a"
                + " key: ALTER TABLE sequence ADD UNIQUE (name)");
    }

    @Test
    void theKeyThatTheRefusalNamesIsEnough() throws SQLException {
        create("name VARCHAR(50) NOT NULL, id BIGINT NOT NULL", "InnoDB");
        execute("ALTER TABLE sequence ADD UNIQUE (name)");

        assertThat(first("sequence")).isEqualTo(1);
    }

    @Test
    void theModeOfASessionChangesNothing() throws SQLException {
        create("name VARCHAR(50) NOT NULL PRIMARY KEY, id BIGINT NOT NULL", "InnoDB");
        execute("SET GLOBAL sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES'");

        assertThat(first("sequence")).isEqualTo(1);
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refuses(String message) {
        return assertThatThrownBy(() -> first("sequence"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(message);
    }

    private long first(String table) {
        try (DistributedIds ids = open(table)) {
            return ids.next("photos");
        }
    }

    private CheckResult.Status check() {
        try (DistributedIds ids = open("sequence")) {
            return ids.admin().check("photos").stream()
                    .filter(result -> result.what().equals("table"))
                    .findFirst()
                    .orElseThrow()
                    .status();
        }
    }

    private DistributedIds open(String table) {
        return DistributedIds.create(Map.of(
                "distributedid.backend",
                "sequence_table",
                "distributedid.sequence_table.servers",
                server().jdbcUrl(SCHEMA),
                "distributedid.sequence_table.table",
                table,
                "distributedid.create_tables",
                "true",
                "distributedid.block.max",
                1,
                "distributedid.timeout",
                "30s"));
    }

    private String label() {
        String url = server().jdbcUrl(SCHEMA);
        return url.substring(0, url.indexOf('?'));
    }

    private long rows() throws SQLException {
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*) FROM sequence")) {
            row.next();
            return row.getLong(1);
        }
    }

    private void create(String columns, String engine) throws SQLException {
        execute("CREATE TABLE sequence (" + columns + ") ENGINE=" + engine);
    }

    private void execute(String sql) throws SQLException {
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
