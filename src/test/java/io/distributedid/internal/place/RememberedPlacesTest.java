package io.distributedid.internal.place;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.SentStatements;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The places of all sequences of a start are compared and remembered together. */
class RememberedPlacesTest {

    private static final String URL = "jdbc:h2:mem:places;DB_CLOSE_DELAY=-1";

    private static final String LABEL = "the database";

    private static final Set<String> NAMES = Set.of("albums", "photos", "tags");

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("places");
    }

    @Test
    void oneStatementReadsAllAndOneCreatesAll() throws SQLException {
        SentStatements first = SentStatements.to(URL);
        check(first, NAMES);

        assertThat(tokens()).isEqualTo(expected(NAMES));
        assertThat(first.sent())
                .filteredOn(sql -> sql.startsWith("MERGE"))
                .as("all places")
                .hasSize(1);
        SentStatements again = SentStatements.to(URL);
        check(again, NAMES);
        assertThat(again.sent()).singleElement().asString().startsWith("SELECT name, version, number, state, text ");
        SentStatements more = SentStatements.to(URL);
        check(more, Set.of("photos", "users"));
        assertThat(more.sent()).filteredOn(sql -> sql.startsWith("MERGE")).hasSize(1);
        assertThat(tokens()).isEqualTo(expected(Set.of("albums", "photos", "tags", "users")));
    }

    @Test
    void thousandsAreReadAndCreatedInSeveralStatements() throws SQLException {
        Set<String> names =
                IntStream.range(0, 2500).mapToObj(each -> "photos" + each).collect(Collectors.toSet());
        SentStatements first = SentStatements.to(URL);
        check(first, names);

        assertThat(tokens()).isEqualTo(expected(names));
        assertThat(first.sent()).filteredOn(sql -> sql.startsWith("MERGE")).hasSize(3);
        SentStatements again = SentStatements.to(URL);
        check(again, names);
        assertThat(again.sent()).hasSize(3);
    }

    @Test
    void anotherApplicationThatWasFasterIsNoticed() throws SQLException {
        SentStatements statements = SentStatements.failing(URL, sql -> {
            if (sql.startsWith("MERGE") && sql.contains("), (")) {
                insert("@place/photos", "other");
            }
            return false;
        });

        assertThatThrownBy(() -> check(statements, NAMES))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A sequence takes its ids from a different place than before: seq=photos"
                        + " token=token-of-photos, but the database holds ids of token=other. Check the settings of");
        assertThat(tokens()).containsEntry("albums", "token-of-albums").containsEntry("tags", "token-of-tags");
    }

    /** With the wrong settings, the other sequences would be remembered in the wrong place too. */
    @Test
    void noPlaceIsRememberedIfASequenceIsRefused() throws SQLException {
        check(SentStatements.to(URL), Set.of("tags"));
        DatabaseRows.execute(URL, "UPDATE distributedid SET text = 'token=other'");

        assertThatThrownBy(() -> check(SentStatements.to(URL), NAMES))
                .hasMessageContaining("from a different place than before: seq=tags");
        assertThat(tokens()).containsOnlyKeys("tags");
    }

    @Test
    void aRowThatWasChangedByHandIsRefused() throws SQLException {
        check(SentStatements.to(URL), Set.of("photos"));
        DatabaseRows.execute(URL, "UPDATE distributedid SET text = '-'");
        assertThatThrownBy(() -> check(SentStatements.to(URL), NAMES))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("holds ids of token=none");

        DatabaseRows.execute(URL, "UPDATE distributedid SET text = 'token=token-of-photos format=2'");
        assertThatThrownBy(() -> check(SentStatements.to(URL), NAMES))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A row of the ledger has an unknown text: row=@place/photos");
    }

    @Test
    void aLedgerThatDoesNotTellNamesApartIsRefused() throws SQLException {
        DatabaseRows.execute(
                URL,
                "CREATE TABLE distributedid (name VARCHAR_IGNORECASE(160) PRIMARY KEY, version VARCHAR(40),"
                        + " number BIGINT, state VARCHAR(10), text VARCHAR(2000))");

        assertThatThrownBy(() -> check(SentStatements.to(URL), NAMES))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ledger does not tell names apart");
    }

    @Test
    void anOperatorReplacesTheTokensOfATable() throws SQLException {
        check(SentStatements.to(URL), NAMES);
        DatabaseRows.execute(URL, "UPDATE distributedid SET text = 'token=old' WHERE name <> '@place/tags'");
        insert("photos", "old");
        try (Connection connection = DriverManager.getConnection(URL)) {
            RememberedPlaces places = new RememberedPlaces(connection, Optional.empty(), LABEL);
            places.replace("photos", Set.of("old"), "new", other -> false);
            assertThat(tokens()).isEqualTo(Map.of("albums", "old", "photos", "new", "tags", "token-of-tags"));

            places.replace("photos", Set.of("old", "new"), "newer", other -> true);
            assertThat(tokens()).isEqualTo(Map.of("albums", "newer", "photos", "newer", "tags", "token-of-tags"));
            assertThat(DatabaseRows.rows(URL, "SELECT text FROM distributedid WHERE name = 'photos'"))
                    .containsExactly("token=old");

            assertThatThrownBy(() -> places.replace("tags", Set.of("old"), "new", other -> true))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("Somebody else changed what a database remembers: the database seq=tags"
                            + " token=token-of-tags, new token=new. Repeat the command");
            assertThat(places.token("tags")).contains("token-of-tags");
            assertThat(places.token("users")).isEmpty();
        }
    }

    /** Between the command's read and its write. */
    @Test
    void aPlaceThatIsChangedMeanwhileIsKept() throws SQLException {
        check(SentStatements.to(URL), NAMES);
        SentStatements statements = SentStatements.failing(URL, sql -> {
            if (sql.startsWith("MERGE")) {
                execute("UPDATE distributedid SET version = '2-a', text = 'token=other' WHERE name = '@place/albums'");
            }
            return false;
        });
        Set<String> all = Set.of("token-of-albums", "token-of-photos");
        try (Connection connection = statements.getConnection()) {
            RememberedPlaces places = new RememberedPlaces(connection, Optional.empty(), LABEL);
            assertThatThrownBy(() -> places.replace("photos", all, "new", other -> true))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("seq=albums token=other, new token=new");
        }
        assertThat(tokens()).isEqualTo(Map.of("albums", "other", "photos", "new", "tags", "token-of-tags"));
    }

    private static void check(SentStatements database, Set<String> names) throws SQLException {
        Map<String, IdSpace> spaces = new TreeMap<>();
        names.forEach(name -> spaces.put(name, new IdSpace(name, "token-of-" + name, false)));
        try (Connection connection = database.getConnection()) {
            new RememberedPlaces(connection, Optional.empty(), LABEL).check(spaces);
        }
    }

    private static void insert(String name, String token) {
        execute("INSERT INTO distributedid (name, version, number, state, text) VALUES ('" + name
                + "', '1-a', 0, 'NONE', 'token=" + token + "')");
    }

    private static void execute(String sql) {
        try {
            DatabaseRows.execute(URL, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static Map<String, String> expected(Set<String> names) {
        return names.stream().collect(Collectors.toMap(name -> name, name -> "token-of-" + name));
    }

    /** By the name of the sequence. */
    private static Map<String, String> tokens() throws SQLException {
        String places = "SELECT SUBSTRING(name, 8), SUBSTRING(text, 7) FROM distributedid WHERE name LIKE '@place/%'";
        return DatabaseRows.rows(URL, places).stream()
                .map(row -> row.split(" ", 2))
                .collect(Collectors.toMap(row -> row[0], row -> row[1]));
    }
}
