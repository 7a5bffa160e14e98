package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.internal.existing.ExistingIds;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.IdForm;
import io.distributedid.internal.existing.StartIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.Test;

/** A start reads the ids of many tables with few statements, and finds what it would find one by one. */
public abstract class ManyTablesContract {

    private static final String TIMEOUT = "distributedid.existing_ids_timeout";

    /** A busy machine must not leave a column uncompared. */
    protected static final Duration LIMIT = Duration.ofMinutes(1);

    /** For a table that does not answer, which is asked several times. */
    private static final String SHORT_LIMIT = "4s";

    private static final int TABLES = 120;

    private static final int TEXTS = 5;

    private static final int WITHOUT_INDEX = 6;

    private static final int MISSING = 7;

    private static final Set<Integer> UNUSUAL = Set.of(TEXTS, WITHOUT_INDEX, MISSING);

    private static final long DISTANCE = 10_000_000;

    /** The URL of a schema, which is empty before the first call. */
    protected abstract String url(String schema) throws SQLException;

    /** The statements after which other sessions wait for a table. */
    protected List<String> lock(String table) {
        return List.of();
    }

    /** The definitions of a column {@code id} that are read with others. */
    protected List<String> types() {
        return List.of("BIGINT PRIMARY KEY", "INTEGER PRIMARY KEY", "SMALLINT UNIQUE", "DECIMAL(20) PRIMARY KEY");
    }

    @Test
    void aStartReadsTheUsualTablesTogether() throws SQLException {
        String url = url("many_tables");
        create(url);
        start(SentStatements.to(url), "raise").close();

        SentStatements statements = SentStatements.to(url);
        try (LoggedWarnings log = LoggedWarnings.ofPackage(DistributedIdService.class.getPackage())) {
            start(statements, "refuse").close();
            assertThat(log.messages()).isEmpty();
        }
        assertThat(statements.sent())
                .filteredOn(sql -> sql.contains("FROM item"))
                .as("2 for the 117 usual tables; a look, a count of rows and the largest of the text and of the table"
                        + " without an index; a look for the missing one")
                .hasSize(2 + 3 + 3 + 1);
    }

    @Test
    void aStartRaisesTheCountersTogether() throws SQLException {
        String url = url("many_raised");
        create(url);
        start(SentStatements.to(url), "ignore").close();

        SentStatements statements = SentStatements.to(url);
        start(statements, "raise").close();

        assertThat(statements.sent())
                .filteredOn(sql -> sql.matches("(INSERT|MERGE) INTO \\S*sequence .*VALUES.*"))
                .hasSize(1);
        assertThat(statements.sent())
                .filteredOn(sql -> sql.contains("FROM item"))
                .as("as without a raise")
                .hasSize(2 + 3 + 3 + 1);
        assertThat(statements.sent()).as("statements in all").hasSizeLessThan(TABLES);
        start(SentStatements.to(url), "refuse").close();
    }

    @Test
    void aCounterBelowIsRefusedAsOneByOne() throws SQLException {
        String url = url("many_refused");
        create(url);
        start(SentStatements.to(url), "raise").close();
        execute(url, "INSERT INTO item008 VALUES (5000)", "INSERT INTO item009 VALUES (6000)");

        Throwable together = catchThrowable(() -> start(SentStatements.to(url), "refuse"));
        SentStatements failing =
                SentStatements.failing(url, sql -> sql.contains("FROM item") && sql.contains("UNION ALL"));
        Throwable oneByOne = catchThrowable(() -> start(failing, "refuse"));

        assertThat(together)
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageMatching(
                        "io\\.distributedid\\.testkit\\.(Item008 \\(seq=items008|Item009 \\(seq=items009)\\):"
                                + " A counter would give ids that exist: .* there is an id [56]000 already.*")
                .hasMessage(oneByOne.getMessage());
        assertThat(failing.sent()).contains("SELECT 0, MAX(id) FROM item119");
    }

    @Test
    void theLargestOfEachServerAreThoseReadOneByOne() throws SQLException {
        String url = url("many_servers");
        create(url);
        for (int i = 0; i < TABLES; i += 10) {
            execute(
                    url,
                    "INSERT INTO " + Items.table(i) + " VALUES (" + (20_000 + i) + "), (" + (19_999 - 3 * i) + ")");
        }
        execute(url, "INSERT INTO item003 VALUES (-5)", "INSERT INTO item001 VALUES (30000001), (19999999), (90)");
        for (long step : List.of(1L, 2L, 3L)) {
            assertSame(url, columns(step));
        }
    }

    private static List<IdColumn> columns(long step) {
        return IntStream.range(0, TABLES)
                .mapToObj(each -> column(Items.table(each), "id", step, DISTANCE))
                .toList();
    }

    private static void assertSame(String url, List<IdColumn> columns) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url)) {
            Map<IdColumn, List<Long>> expected = new HashMap<>();
            for (int i = 0; i < columns.size(); i++) {
                if (!UNUSUAL.contains(i)) {
                    expected.put(columns.get(i), oneByOne(connection, columns.get(i)));
                }
            }
            assertThat(new StartIds(connection).together(columns, LIMIT)).isEqualTo(expected);
        }
    }

    private static List<Long> oneByOne(Connection connection, IdColumn column) throws SQLException {
        return ExistingIds.maxOfEachRemainder(
                connection, column.table(), column.column(), column.step(), column.distance());
    }

    /** A column of numbers. */
    protected static IdColumn column(String table, String column, long step, long distance) {
        return new IdColumn(table, column, IdForm.DECIMAL, step, distance);
    }

    @Test
    void allTypesOfWholeNumbersAreReadTogether() throws SQLException {
        String url = url("many_types");
        List<IdColumn> columns = new ArrayList<>();
        for (String type : types()) {
            String table = "number" + columns.size();
            execute(url, "CREATE TABLE " + table + " (id " + type + ")");
            execute(url, "INSERT INTO " + table + " VALUES (7), (12)");
            columns.add(column(table, "id", 2, DISTANCE));
        }
        execute(url, "CREATE TABLE big (id " + types().get(0) + ")", "CREATE TABLE bigger (id DECIMAL(30) UNIQUE)");
        execute(url, "INSERT INTO big VALUES (9223372036854775805)");
        execute(url, "INSERT INTO bigger VALUES (9999999999999999999999)");
        try (Connection connection = DriverManager.getConnection(url)) {
            Map<IdColumn, List<Long>> expected = new HashMap<>();
            columns.forEach(column -> expected.put(column, List.of(12L, 7L)));
            IdColumn big = column("big", "id", 1, 0);
            IdColumn bigger = column("bigger", "id", 1, 0);
            expected.put(big, List.of(Long.MAX_VALUE - 2));
            expected.put(bigger, List.of(Long.MAX_VALUE));
            columns.addAll(List.of(big, bigger));
            assertThat(new StartIds(connection).together(columns, LIMIT)).isEqualTo(expected);
        }
    }

    @Test
    void otherTypesAndIndexesAreLeftOut() throws SQLException {
        String url = url("many_others");
        execute(
                url,
                "CREATE TABLE fraction (id DOUBLE PRECISION PRIMARY KEY, code DECIMAL(10, 3))",
                "CREATE INDEX by_code ON fraction (code, id)",
                "CREATE TABLE later (code BIGINT, id BIGINT, PRIMARY KEY (code, id))",
                "CREATE TABLE usual (id BIGINT PRIMARY KEY)",
                "INSERT INTO usual VALUES (4)");
        IdColumn usual = column("usual", "id", 1, 0);
        try (Connection connection = DriverManager.getConnection(url)) {
            assertThat(new StartIds(connection)
                            .together(
                                    List.of(
                                            column("fraction", "id", 1, 0),
                                            column("later", "id", 1, 0),
                                            column("no_such_table", "id", 1, 0),
                                            column("usual", "no_such_column", 1, 0),
                                            usual),
                                    LIMIT))
                    .isEqualTo(Map.of(usual, List.of(4L)));
        }
    }

    @Test
    protected void aTableThatDoesNotAnswerInTimeOnlyDelaysTheOthers() throws SQLException {
        String url = url("many_locked");
        create(url);
        start(SentStatements.to(url), "raise").close();
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : lock("item008")) {
                statement.execute(sql);
            }
            // MariaDB's driver would wait for the lock before there is a connection.
            String connecting = url.replace("createDatabaseIfNotExist=true", "createDatabaseIfNotExist=false");
            execute(connecting, "INSERT INTO item119 VALUES (5000)");
            try (LoggedWarnings log = LoggedWarnings.ofPackage(DistributedIdService.class.getPackage())) {
                assertThatThrownBy(() -> start(SentStatements.to(connecting), "refuse", SHORT_LIMIT))
                        .hasMessageContaining("there is an id 5000 already");
                assertThat(log.messages())
                        .filteredOn(message -> message.contains(" is not compared with the ids "))
                        .singleElement()
                        .asString()
                        .startsWith("io.distributedid.testkit.Item008.id (seq=items008) is not compared with the ids"
                                + " that exist: ")
                        .contains("because the database did not answer within 4000 ms (" + TIMEOUT + ")");
            }
        }
    }

    private static void create(String url) throws SQLException {
        List<String> statements = new ArrayList<>();
        for (int i = 0; i < TABLES; i++) {
            if (i != MISSING) {
                String type =
                        i == TEXTS ? "VARCHAR(19) PRIMARY KEY" : "BIGINT" + (i == WITHOUT_INDEX ? "" : " PRIMARY KEY");
                statements.add("CREATE TABLE " + Items.table(i) + " (id " + type + ")");
                statements.add("INSERT INTO " + Items.table(i) + " VALUES "
                        + (i == TEXTS ? "('9'), ('10')" : "(" + (100 + i) + "), (60)"));
            }
        }
        execute(url, statements.toArray(String[]::new));
    }

    private static SessionFactory start(SentStatements database, String mode) {
        return start(database, mode, LIMIT.toString());
    }

    private static SessionFactory start(SentStatements database, String mode, String limit) {
        Configuration configuration = new Configuration()
                .setProperty("distributedid.backend", "sequence_table")
                .setProperty("distributedid.create_tables", "true")
                .setProperty("distributedid.block.max", "1")
                .setProperty("distributedid.existing_ids", mode)
                .setProperty(TIMEOUT, limit);
        configuration.getProperties().put("hibernate.connection.datasource", database);
        Items.classes(TABLES).forEach(configuration::addAnnotatedClass);
        return configuration.buildSessionFactory();
    }

    private static void execute(String url, String... statements) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            for (String sql : statements) {
                statement.execute(sql);
            }
        }
    }
}
