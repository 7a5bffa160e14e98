package io.distributedid.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.row.SectionMark;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Sections write the record of a sequence into the table of rows: which table that is, and what its user needs. */
class SectionMarkTest {

    private static final String URL = "jdbc:h2:mem:section_mark";

    private static final String ADMIN = URL + ";DB_CLOSE_DELAY=-1;USER=admin;PASSWORD=";

    /** H2 makes the first user an administrator. */
    @BeforeEach
    void create() throws SQLException {
        DatabaseRows.execute(ADMIN, "CREATE USER narrow PASSWORD 'secret'");
    }

    @AfterEach
    void drop() throws SQLException {
        DatabaseRows.execute(ADMIN, "SHUTDOWN");
    }

    private static void execute(String... statements) throws SQLException {
        DatabaseRows.execute(ADMIN, statements);
    }

    private static Map<String, Object> settings(String user, String password) {
        return new HashMap<>(Map.of(
                "distributedid.keyed.backend",
                "section",
                "distributedid.keyed.section.store",
                URL,
                "distributedid.keyed.section.user",
                user,
                "distributedid.keyed.section.password",
                password,
                "distributedid.keyed.section.lease",
                "1m",
                "distributedid.timeout",
                "25s",
                "distributedid.block.timeout",
                "45s"));
    }

    private static DistributedIds serving(Map<String, Object> settings) {
        return DistributedIds.builder().settings(settings).asService().build();
    }

    private static void assertRefused(String message) {
        try (DistributedIds ids = serving(settings("narrow", "secret"))) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining(message);
        }
    }

    private static void createTables() throws SQLException {
        execute(IdAdmin.ddl(settings("admin", ""), "h2").toArray(String[]::new));
        execute("GRANT SELECT, INSERT, UPDATE ON distributedid TO narrow");
    }

    @Test
    void theUserNeedsToSelectAndInsertRecords() throws SQLException {
        createTables();
        String lacking = "The table that records how a sequence is numbered can't be used, because the user lacks a"
                + " right: table=keyed_sequence on ";
        String grant = "GRANT SELECT, INSERT ON keyed_sequence to the user";
        for (String right : List.of("SELECT", "INSERT")) {
            assertRefused(lacking);
            assertRefused(grant);
            assertThat(DatabaseRows.rows(ADMIN, "SELECT name FROM distributedid WHERE state = 'OPEN'"))
                    .isEmpty();
            execute("GRANT " + right + " ON keyed_sequence TO narrow");
        }
        try (DistributedIds ids = serving(settings("narrow", "secret"))) {
            assertThat(ids.keyed("messages").next(7)).isEqualTo(1);
        }
    }

    @Test
    void aMissingTableIsToldWithItsStatement() throws SQLException {
        createTables();
        execute("DROP TABLE keyed_sequence");
        assertRefused("The table that records how a sequence is numbered is missing: table=keyed_sequence on ");
        assertRefused("Create it: CREATE TABLE IF NOT EXISTS keyed_sequence (name VARCHAR_CASESENSITIVE(50)");
        assertRefused("; or let Hibernate create it (hibernate.hbm2ddl.auto), or the first client:"
                + " distributedid.create_tables=true");
    }

    @Test
    void rowsOfKeysBeforeTheirFirstUseAreRefusedToo() throws SQLException {
        createTables();
        execute(
                "GRANT SELECT, INSERT ON keyed_sequence TO narrow",
                "INSERT INTO keyed_sequence (name, key_text, number) VALUES ('messages', '7', 5000)");
        assertRefused("seq=messages has rows of keys already, table=keyed_sequence. Set");
    }

    /** Two servers start at once: the other one inserts the record after this one has not found it. */
    @Test
    void theRecordOfAnotherThatStartsAtTheSameMomentIsNoRowOfAKey() throws SQLException {
        createTables();
        SectionMark mark = new SectionMark("keyed_sequence", false);
        try (Connection own = DriverManager.getConnection(ADMIN);
                Connection others = DriverManager.getConnection(ADMIN)) {
            AtomicInteger statements = new AtomicInteger();
            mark.require(
                    beforeEachStatement(own, () -> {
                        if (statements.incrementAndGet() == 2) {
                            mark.require(others, "h2", "messages");
                        }
                    }),
                    "h2",
                    "messages");
        }
        assertThat(DatabaseRows.rows(ADMIN, "SELECT name, number FROM keyed_sequence"))
                .containsExactly("messages 3");
    }

    private interface Step {

        void run() throws SQLException;
    }

    private static Connection beforeEachStatement(Connection connection, Step step) {
        return (Connection) Proxy.newProxyInstance(
                SectionMarkTest.class.getClassLoader(),
                new Class<?>[] {Connection.class},
                (proxy, method, arguments) -> {
                    if (method.getName().equals("prepareStatement")) {
                        step.run();
                    }
                    return method.invoke(connection, arguments);
                });
    }

    private static String refusal(DistributedIds ids) {
        return catchThrowableOfType(
                        IdConfigurationException.class,
                        () -> ids.keyed("messages").next(7))
                .getMessage();
    }

    /** As an operator may do who wants another number of sections. */
    @Test
    void sectionsAreRefusedAlsoIfTheirRowsWentWhileAProcessRefusedThem() throws SQLException {
        Map<String, Object> settings = settings("admin", "");
        settings.put("distributedid.create_tables", true);
        try (DistributedIds ids = serving(settings)) {
            ids.keyed("messages").next(7);
        }
        settings.put("distributedid.keyed.section.sections", 3);
        try (DistributedIds ids = serving(settings)) {
            assertThatThrownBy(() -> ids.keyed("messages").next(7))
                    .hasMessageContaining("The number of sections must not change");
            execute("DELETE FROM distributedid WHERE name LIKE '@keyed/%'");
            Await.until(
                    "the loss is seen",
                    () -> refusal(ids).contains("row=@keyed/messages is missing"),
                    () -> refusal(ids));
        }
    }

    @Test
    void eachSequenceIsRecordedInItsOwnTableOfRows() throws SQLException {
        Map<String, Object> settings = settings("admin", "");
        settings.put("distributedid.create_tables", true);
        settings.put("distributedid.seq.photos.keyed.row.table", "photo_sequence");
        try (DistributedIds ids = serving(settings)) {
            ids.keyed("messages").next(7);
            ids.keyed("photos").next(7);
        }
        for (Map.Entry<String, String> each : Map.of("keyed_sequence", "messages 3", "photo_sequence", "photos 3")
                .entrySet()) {
            assertThat(DatabaseRows.rows(ADMIN, "SELECT name, number FROM " + each.getKey()))
                    .containsExactly(each.getValue());
        }
    }
}
