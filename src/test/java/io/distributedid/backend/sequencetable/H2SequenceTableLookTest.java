package io.distributedid.backend.sequencetable;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which sequence tables are refused on H2. */
class H2SequenceTableLookTest {

    private static final String MEMORY = "jdbc:h2:mem:looks";

    private Connection connection;

    @BeforeEach
    void connect() throws SQLException {
        connection = DriverManager.getConnection(MEMORY);
    }

    @AfterEach
    void close() throws SQLException {
        connection.close();
        H2Servers.drop("looks");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BIGINT", "NUMERIC(19)", "NUMERIC(30, 0)"})
    void anIdColumnOf64BitsIsServed(String type) throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, id " + type);

        look("sequence");
        look("PUBLIC.SEQUENCE");
    }

    @ParameterizedTest
    @CsvSource({
        "INT, INTEGER",
        "NUMERIC(18), NUMERIC",
        "'NUMERIC(20, 1)', NUMERIC",
        "DOUBLE PRECISION, DOUBLE PRECISION"
    })
    void anIdColumnThatDoesNotHoldAllIdsIsRefused(String type, String found) throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, id " + type);

        refuses("A sequence table's ids must be whole numbers of 64 bits: table=sequence on here id=" + found
                + ", allowed: BIGINT, NUMERIC(19) or wider. Give the column that type: ALTER TABLE sequence ALTER"
                + " COLUMN"
                + " id SET DATA TYPE BIGINT");
        execute("ALTER TABLE sequence ALTER COLUMN id SET DATA TYPE BIGINT");
        look("sequence");
    }

    @Test
    void aMissingColumnIsRefused() throws SQLException {
        create("name VARCHAR(50) PRIMARY KEY, next BIGINT");

        refuses("A sequence table must have the columns name and id: table=sequence on here columns=[name, next],"
                + " allowed: name VARCHAR(50), id BIGINT, NUMERIC(19) or wider. Name such a table:"
                + " distributedid.sequence_table.table");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", UNIQUE (name, id)", ", UNIQUE (id)"})
    void namesThatMayBeThereTwiceAreRefused(String key) throws SQLException {
        create("name VARCHAR(50) NOT NULL, id BIGINT NOT NULL" + key);

        refuses("A sequence table must have one row for each name: table=sequence on here has no primary or unique key"
                + " on the column name alone. Keep the highest row of each name, and add a key: ALTER TABLE sequence"
                + " ADD UNIQUE (name)");
        execute("ALTER TABLE sequence ADD UNIQUE (name)");
        look("sequence");
    }

    @ParameterizedTest
    @ValueSource(strings = {"LOCAL TEMPORARY", "GLOBAL TEMPORARY"})
    void aTemporaryTableIsRefused(String kind) throws SQLException {
        execute("CREATE " + kind + " TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT)");

        refuses("A sequence table must not lose rows in a crash: table=sequence on here storage=" + kind
                + ", allowed: CACHED. Name a plain table: distributedid.sequence_table.table");
    }

    @Test
    void aViewIsRefused() throws SQLException {
        execute("CREATE TABLE counters (name VARCHAR(50) PRIMARY KEY, id BIGINT)");
        execute("CREATE VIEW sequence AS SELECT * FROM counters");

        refuses("A sequence table must not lose rows in a crash: table=sequence on here storage=VIEW, allowed: CACHED."
                + " Name a plain table: distributedid.sequence_table.table");
    }

    @Test
    void aTableThatAFileDoesNotKeepIsRefused(@TempDir Path folder) throws SQLException {
        connection.close();
        connection = DriverManager.getConnection("jdbc:h2:" + folder.resolve("looks"));
        execute("CREATE MEMORY TABLE sequence (name VARCHAR(50) PRIMARY KEY, id BIGINT) NOT PERSISTENT");

        String keep =
                "ALTER TABLE sequence RENAME TO sequence_in_memory; CREATE CACHED TABLE sequence (name VARCHAR(50)"
                        + " NOT NULL PRIMARY KEY, id BIGINT NOT NULL DEFAULT 0) AS SELECT name, id FROM"
                        + " sequence_in_memory";
        refuses("A sequence table must not lose rows in a crash: table=sequence on here storage=MEMORY, allowed:"
                + " CACHED. Change it: " + keep + ". If the server has crashed since the table was created, first raise"
                + " its rows above every id in use");
        for (String sql : keep.split("; ")) {
            execute(sql);
        }
        look("sequence");
    }

    private AbstractThrowableAssert<?, ? extends Throwable> refuses(String message) {
        return assertThatThrownBy(() -> look("sequence"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage(message);
    }

    private void look(String table) throws SQLException {
        SequenceTableLook.require(connection, table, "here");
    }

    private void create(String columns) throws SQLException {
        execute("CREATE TABLE sequence (" + columns + ")");
    }

    private void execute(String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }
}
