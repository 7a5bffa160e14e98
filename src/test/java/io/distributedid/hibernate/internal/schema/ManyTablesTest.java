package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.StartIds;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.Items;
import io.distributedid.testkit.ManyTablesContract;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("slow")
class ManyTablesTest extends ManyTablesContract {

    /** No test here: H2 makes no reader wait. */
    @Override
    protected void aTableThatDoesNotAnswerInTimeOnlyDelaysTheOthers() {}

    private final List<String> databases = new ArrayList<>();

    @Override
    protected String url(String schema) {
        databases.add(schema);
        return "jdbc:h2:mem:" + schema + ";DB_CLOSE_DELAY=-1";
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop(databases.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void theStatementsOfAStartDoNotGrowWithTheEntities(int servers) throws SQLException {
        List<String> ofOne = statements(1, servers);

        assertThat(statements(12, servers)).hasSameSizeAs(ofOne);
        assertThat(ofOne).filteredOn(sql -> sql.contains("FROM item")).hasSize(servers);
    }

    /** Of the second start; and checks that the first one sends as few more for any number of entities. */
    private List<String> statements(int entities, int servers) throws SQLException {
        String url = url("trips" + entities + "_" + servers);
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < entities; i++) {
                statement.execute("CREATE TABLE " + Items.table(i) + " (id BIGINT PRIMARY KEY)");
                statement.execute("INSERT INTO " + Items.table(i) + " SELECT x FROM SYSTEM_RANGE(1, 50)");
            }
        }
        SentStatements first = SentStatements.to(url);
        start(first, entities, servers, "ignore");
        assertThat(first.sent())
                .filteredOn(sql -> sql.startsWith("MERGE"))
                .as("all places")
                .hasSize(1);
        for (int i = 1; i <= servers; i++) {
            try (Connection connection = DriverManager.getConnection(counters(i));
                    Statement statement = connection.createStatement()) {
                statement.execute("UPDATE sequence SET id = id + 100");
            }
        }
        SentStatements second = SentStatements.to(url);
        start(second, entities, servers, "refuse");
        return second.sent();
    }

    private String counters(int server) {
        String schema = "trip_counters" + server;
        return url(schema);
    }

    private void start(SentStatements database, int entities, int servers, String mode) {
        Configuration configuration = new Configuration()
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty(
                        "distributedid.sequence_table.servers",
                        servers == 1 ? counters(1) : counters(1) + ", " + counters(2))
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.existing_ids", mode);
        configuration.getProperties().put("hibernate.connection.datasource", database);
        Items.classes(entities).forEach(configuration::addAnnotatedClass);
        configuration.buildSessionFactory().close();
    }

    /** The largest id alone would not show it. */
    @Test
    void aServerBelowItsOwnIdsIsRefusedThoughAnotherIsAboveAll() throws SQLException {
        String url = url("behind");
        DatabaseRows.execute(url, "CREATE TABLE " + Items.table(0) + " (id BIGINT PRIMARY KEY)");
        start(SentStatements.to(url), 1, 2, "ignore");
        DatabaseRows.execute(
                counters(1),
                "UPDATE sequence SET id = 2001",
                "UPDATE distributedid SET number = 2001 WHERE name LIKE 'sequence/%' AND name NOT LIKE '%@%'");
        DatabaseRows.execute(url, "INSERT INTO " + Items.table(0) + " VALUES (1998), (1999)");

        assertThatThrownBy(() -> start(SentStatements.to(url), 1, 2, "refuse"))
                .hasMessageContaining("there is an id 1998 already");
    }

    @Test
    void tablesOfASchemaAreReadTogetherToo() throws SQLException {
        String url = url("many_schemas");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE SCHEMA shop");
            statement.execute("CREATE TABLE photo (id VARCHAR(19) PRIMARY KEY)");
            statement.execute("CREATE TABLE shop.photo (id BIGINT PRIMARY KEY)");
            statement.execute("CREATE TABLE shop.\"Photo Album\" (\"Id\" BIGINT PRIMARY KEY)");
            statement.execute("INSERT INTO shop.photo VALUES (3)");
            IdColumn photo = column("shop.photo", "id", 1, 0);
            IdColumn album = column("SHOP.\"Photo Album\"", "\"Id\"", 1, 0);

            assertThat(new StartIds(connection).together(List.of(photo, album, column("photo", "id", 1, 0)), LIMIT))
                    .isEqualTo(Map.of(photo, List.of(3L), album, List.of()));
        }
    }

    /** The catalog lists the index of another table, whose name has another case. */
    @Test
    void aTextThatWasTakenForANumberIsNotRead() throws SQLException {
        String url = url("many_cases");
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE \"photo\" (\"id\" BIGINT PRIMARY KEY)");
            statement.execute("CREATE TABLE photo (id VARCHAR(19) PRIMARY KEY)");
            statement.execute("INSERT INTO photo VALUES ('9'), ('10')");

            assertThat(new StartIds(connection).together(List.of(column("photo", "id", 1, 0)), LIMIT))
                    .isEmpty();
        }
    }
}
