package io.distributedid.internal.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The tokens of many sequences are remembered with one statement, or one by one. */
class ManyTokensTest {

    private static final String URL = "jdbc:h2:mem:many_tokens;DB_CLOSE_DELAY=-1";

    private static final Set<String> NAMES = Set.of("albums", "photos", "tags");

    private static final Map<String, String> TOKENS =
            Map.of("@albums", "token of albums", "@photos", "token of photos", "@tags", "token of tags");

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("many_tokens");
    }

    @Test
    void oneStatementAddsAll() throws SQLException {
        SentStatements statements = SentStatements.to(URL);
        check(statements, NAMES);

        assertThat(tokens()).isEqualTo(TOKENS);
        assertThat(statements.sent())
                .filteredOn(sql -> sql.startsWith("INSERT"))
                .hasSize(1);
        SentStatements again = SentStatements.to(URL);
        check(again, NAMES);
        assertThat(again.sent()).noneMatch(sql -> sql.startsWith("INSERT"));
    }

    @Test
    void thousandsAreAddedInSeveralStatements() throws SQLException {
        Set<String> names = new TreeSet<>();
        IntStream.range(0, 2500).forEach(each -> names.add("photos" + each));
        SentStatements statements = SentStatements.to(URL);
        check(statements, names);

        assertThat(tokens()).hasSize(2500).containsEntry("@photos2499", "token of photos2499");
        assertThat(statements.sent())
                .filteredOn(sql -> sql.startsWith("INSERT"))
                .hasSize(3);
    }

    @Test
    void ifTheStatementFailsTheyAreAddedOneByOne() throws SQLException {
        check(SentStatements.failing(URL, sql -> sql.contains("), (")), NAMES);

        assertThat(tokens()).isEqualTo(TOKENS);
    }

    @Test
    void anotherApplicationThatWasFasterIsNoticed() throws SQLException {
        SentStatements statements = SentStatements.failing(URL, sql -> {
            if (sql.contains("), (")) {
                insert("@photos", "token of another place");
            }
            return false;
        });

        assertThatThrownBy(() -> check(statements, NAMES))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A sequence takes its ids from another place than before: seq=photos"
                        + " token=token of photos, but many_tokens holds ids of token=token of another place");
        assertThat(tokens()).containsEntry("@albums", "token of albums").containsEntry("@tags", "token of tags");
    }

    /** With the wrong settings, the other sequences would be remembered in the wrong place too. */
    @Test
    void noTokenIsAddedIfASequenceIsRefused() throws SQLException {
        check(SentStatements.to(URL), Set.of("tags"));
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("UPDATE distributedid_record SET token = 'token of another place'");
        }

        assertThatThrownBy(() -> check(SentStatements.to(URL), NAMES))
                .hasMessageContaining("from another place than before: seq=tags");
        assertThat(tokens()).containsOnlyKeys("@tags");
    }

    @Test
    void aDatabaseThatTakesNoWritesIsWarnedOfOnce() throws SQLException {
        check(SentStatements.to(URL), Set.of("cards"));
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE USER app PASSWORD 'app'");
            statement.execute("GRANT SELECT ON distributedid_record TO app");
        }
        try (LoggedWarnings warnings = LoggedWarnings.of(IdSpaceCheck.class)) {
            check(SentStatements.to("jdbc:h2:mem:many_tokens;USER=app;PASSWORD=app"), NAMES);
            assertThat(warnings.messages()).hasSize(1);
        }
        assertThat(tokens()).containsOnlyKeys("@cards");
    }

    private static void check(SentStatements database, Set<String> names) throws SQLException {
        try (Connection connection = database.getConnection()) {
            IdSpaceCheck.check(
                    names, connection, Optional.empty(), "many_tokens", name -> Optional.of("token of " + name));
        }
    }

    private static void insert(String counter, String token) {
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO distributedid_record (counter, server, generation, last_id, increment_by,"
                    + " offset_by, state, server_identity, token) VALUES ('" + counter + "', 0, 1, 0, 0, 0, '-', '-', '"
                    + token + "')");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> tokens() throws SQLException {
        Map<String, String> tokens = new TreeMap<>();
        try (Connection connection = DriverManager.getConnection(URL);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT counter, token FROM distributedid_record")) {
            while (row.next()) {
                tokens.put(row.getString(1), row.getString(2));
            }
        }
        return tokens;
    }
}
