package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The application's database remembers the record of rows that have a server of their own. */
class RowMemoryTest {

    private static final String ROWS = "jdbc:h2:mem:memory_rows;DB_CLOSE_DELAY=-1";

    private static final String APPLICATION = "jdbc:h2:mem:memory_application;DB_CLOSE_DELAY=-1";

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("memory_rows", "memory_application");
    }

    /** Each call is a start of the application. */
    private static DistributedIds start(Map<String, ?> settings) {
        return DistributedIds.builder()
                .settings(settings)
                .applicationDatabase(new ConnectionAccess() {

                    @Override
                    public Connection obtain() throws SQLException {
                        return DriverManager.getConnection(APPLICATION);
                    }

                    @Override
                    public String label() {
                        return "the application's database";
                    }
                })
                .build();
    }

    private static DistributedIds start() {
        return start(Map.of(
                "distributedid.keyed.row.server",
                ROWS,
                "distributedid.create_tables",
                true,
                "distributedid.block.timeout",
                "2m"));
    }

    @Test
    void rowsThatWereLostWhileNobodyRanAreRefusedUntilTheyAreBack() throws SQLException {
        try (DistributedIds ids = start()) {
            assertThat(ids.keyed("messages").next(1, 5)).endsWith(5);
        }
        DatabaseRows.execute(
                ROWS,
                "CREATE TABLE backup AS SELECT * FROM keyed_sequence",
                "DELETE FROM keyed_sequence WHERE name = 'messages'");
        try (DistributedIds ids = start()) {
            for (int i = 0; i < 2; i++) {
                assertThatThrownBy(() -> ids.keyed("messages").next(1))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("A sequence has no record any more: seq=messages")
                        .hasMessageContaining(
                                "delete the row '@place/@keyed/messages' of the table distributedid in the"
                                        + " application's database");
                assertThatThrownBy(() -> ids.keyed("messages").current(1))
                        .hasMessageContaining("A sequence has no record any more: seq=messages");
            }
            assertThat(ids.keyed("others").next(1)).isEqualTo(1);
            assertThat(DatabaseRows.number(ROWS, "SELECT COUNT(*) FROM keyed_sequence WHERE name = 'messages'"))
                    .as("nothing is begun anew")
                    .isZero();
            DatabaseRows.execute(ROWS, "INSERT INTO keyed_sequence SELECT * FROM backup");
            assertThat(ids.keyed("messages").next(1)).isEqualTo(6);
        }
    }

    @Test
    void rowsOfAnotherServerAreRefusedUntilAnOperatorAllowsThem() throws SQLException {
        try (DistributedIds ids = start()) {
            assertThat(ids.keyed("messages").next(1, 5)).endsWith(5);
        }
        DatabaseRows.execute(ROWS, "UPDATE keyed_sequence SET number = number + 10 WHERE key_text = ' @record'");
        try (DistributedIds ids = start()) {
            assertThatThrownBy(() -> ids.keyed("messages").next(1))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("A sequence has another record than before: seq=messages");
        }
        DatabaseRows.execute(APPLICATION, "DELETE FROM distributedid WHERE name = '@place/@keyed/messages'");
        try (DistributedIds ids = start()) {
            assertThat(ids.keyed("messages").next(1)).isEqualTo(6);
        }
    }

    @Test
    void nothingIsRememberedOfRowsInTheApplicationsDatabase() throws SQLException {
        try (DistributedIds ids =
                start(Map.of("distributedid.create_tables", true, "distributedid.block.timeout", "2m"))) {
            assertThat(ids.keyed("messages").next(1)).isEqualTo(1);
        }
        assertThat(DatabaseRows.rows(
                        APPLICATION,
                        "SELECT table_name FROM information_schema.tables" + " WHERE table_schema = 'PUBLIC'"))
                .containsExactly("KEYED_SEQUENCE");
    }
}
