package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A schema appears in the search path, before the one that holds the counters. */
class SearchPathTest {

    private static final int MANY = 1_000;

    private final GivenIds given = new GivenIds();

    @BeforeEach
    void create() throws SQLException {
        for (String schema : new String[] {"early", "late", "app"}) {
            DatabaseRows.execute(
                    Postgres.url(), "DROP SCHEMA IF EXISTS " + schema + " CASCADE", "CREATE SCHEMA " + schema);
        }
    }

    private static DistributedIds client(String searchPath, String table) {
        return DistributedIds.builder()
                .settings(Map.of(
                        "distributedid.backend",
                        "sequence_table",
                        "distributedid.sequence_table.servers",
                        Postgres.url() + "&currentSchema=" + searchPath,
                        "distributedid.sequence_table.table",
                        table,
                        "distributedid.create_tables",
                        true,
                        "distributedid.block.max",
                        10,
                        "distributedid.timeout",
                        "1m"))
                .applicationDatabase(new ApplicationDatabase())
                .build();
    }

    private record ApplicationDatabase() implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return DriverManager.getConnection(Postgres.url() + "&currentSchema=app");
        }

        @Override
        public String label() {
            return "app";
        }
    }

    private static void createTables(String schema) throws SQLException {
        DatabaseRows.execute(
                Postgres.url() + "&currentSchema=" + schema,
                IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "postgresql")
                        .toArray(String[]::new));
    }

    @Test
    void anEmptyTableThatAppearsBeforeTheOldOneIsAnotherPlace() throws SQLException {
        createTables("late");
        try (DistributedIds running = client("early,late", "sequence")) {
            given.take(running, MANY);
            createTables("early");
            try (DistributedIds later = client("early,late", "sequence")) {
                assertThat(given.takeUntilRefused(later, MANY))
                        .isInstanceOf(IdConfigurationException.class)
                        .hasMessageContaining("a different place");
            }
            given.take(running, MANY);
        }
        try (DistributedIds named = client("early,late", "late.sequence")) {
            given.take(named, MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void aSchemaEachIsACounterEach() {
        for (String schema : new String[] {"early", "late"}) {
            try (DistributedIds tenant = GivenIds.sequenceTable(
                    Postgres.url() + "&currentSchema=" + schema, "block.min", 1, "block.max", 1)) {
                assertThat(tenant.next("photos")).isEqualTo(1);
            }
        }
    }
}
