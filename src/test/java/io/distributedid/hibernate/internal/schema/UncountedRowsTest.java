package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.distributedid.DistributedValue;
import io.distributedid.IdAdmin;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows with numbers in the database whose counter is new. */
class UncountedRowsTest {

    private static final String URL = "jdbc:h2:mem:uncounted;DB_CLOSE_DELAY=-1";

    @Entity(name = "Remark")
    static class Remark {
        @Id
        Long id;

        Long page;

        @DistributedValue(seq = "remarks", per = "page")
        Long number;
    }

    @BeforeEach
    void createTable() throws SQLException {
        for (String ddl : IdAdmin.ddl(Map.of("distributedid.keyed.backend", "row"), "h2")) {
            DatabaseRows.execute(URL, ddl);
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("uncounted");
    }

    private static void start(Class<?> entity) {
        try (LoggedWarnings warnings = LoggedWarnings.of(KeyedCheck.class)) {
            new Configuration()
                    .addAnnotatedClass(entity)
                    .setProperty("hibernate.connection.url", URL)
                    .buildSessionFactory()
                    .close();
            assertThat(warnings.messages()).isEmpty();
        }
    }

    private static void setFloor(long floor) throws SQLException {
        DatabaseRows.execute(
                URL,
                "MERGE INTO keyed_sequence (name, key_text, number) KEY (name, key_text)"
                        + " VALUES ('remarks', ' floor', " + floor + ")");
    }

    /** The first number is taken, and its row inserted, after the start has read that no key is counted. */
    @ParameterizedTest
    @ValueSource(strings = {"1", " floor"})
    void aRowThatIsInsertedMeanwhileWasCountedBefore(String key) throws SQLException {
        DatabaseRows.execute(
                URL,
                "CREATE ALIAS count_and_insert FOR '" + Meanwhile.class.getName() + ".countAndInsert'",
                "CREATE VIEW Remark AS SELECT x AS id, x AS page, count_and_insert('" + key + "', x) AS number"
                        + " FROM SYSTEM_RANGE(1, 1)");

        start(Remark.class);

        assertThat(DatabaseRows.rows(URL, "SELECT number FROM keyed_sequence WHERE key_text = '" + key + "'"))
                .containsExactly("7");
    }

    /** Public, since the database calls it. */
    public static final class Meanwhile {

        private Meanwhile() {}

        /** Returns the number of the row. */
        public static long countAndInsert(String key, long row) throws SQLException {
            DatabaseRows.execute(
                    URL,
                    "MERGE INTO keyed_sequence (name, key_text, number) KEY (name, key_text)" + " VALUES ('remarks', '"
                            + key + "', 7)");
            return 7;
        }
    }

    @Entity(name = "Letter")
    static class Letter {
        @Id
        Long id;

        Long page;

        @DistributedValue(seq = "remarks", per = "page")
        String number;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 3, 99})
    void textsCountIfTheyAreNumbersAboveTheFloor(long floor) throws SQLException {
        DatabaseRows.execute(URL, "CREATE TABLE Letter (id BIGINT PRIMARY KEY, page BIGINT, number VARCHAR(40))");
        setFloor(floor);
        String[] others = {
            "A-17",
            "",
            " ",
            "12-",
            "-12",
            "0",
            "000",
            "1.5",
            Long.toString(floor),
            "0000" + floor,
            "9223372036854775808"
        };
        for (int i = 0; i < others.length; i++) {
            DatabaseRows.execute(URL, "INSERT INTO Letter VALUES (" + i + ", 42, '" + others[i] + "')");
        }
        DatabaseRows.execute(URL, "INSERT INTO Letter VALUES (90, 42, NULL)");
        start(Letter.class);

        for (String above : new String[] {
            Long.toString(floor + 1), "00" + (floor + 1), " " + (floor + 1) + " ", "200", "9223372036854775807"
        }) {
            DatabaseRows.execute(URL, "MERGE INTO Letter KEY (id) VALUES (91, 42, '" + above + "')");
            assertThatThrownBy(() -> start(Letter.class))
                    .as(above)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("table=Letter column=number. Each key would begin at "
                            + (floor == 0 ? "1 again" : floor + 1));
        }
    }

    /** By their letters, 9 is larger than 10. */
    @ParameterizedTest
    @ValueSource(longs = {0, 3})
    void theAdviceFindsTheLargestOfTexts(long floor) throws SQLException {
        DatabaseRows.execute(URL, "CREATE TABLE Letter (id BIGINT PRIMARY KEY, page BIGINT, number VARCHAR(40))");
        setFloor(floor);
        String[] texts = {"9", "10", " 007 ", "A-17", "", "99999999999999999999"};
        for (int i = 0; i < texts.length; i++) {
            DatabaseRows.execute(URL, "INSERT INTO Letter VALUES (" + i + ", 42, '" + texts[i] + "')");
        }
        DatabaseRows.execute(URL, "INSERT INTO Letter VALUES (50, 43, '3')");

        String message = catchThrowableOfType(IdConfigurationException.class, () -> start(Letter.class))
                .getMessage();
        DatabaseRows.execute(
                URL,
                message.replaceAll(".*(INSERT INTO .*); or set .*", "$1")
                        .replace("<key as text>", "CAST(page AS VARCHAR)")
                        .replace("<key>", "page"));

        assertThat(DatabaseRows.rows(
                        URL, "SELECT key_text, number FROM keyed_sequence WHERE key_text > ' floor' ORDER BY key_text"))
                .isEqualTo(floor == 0 ? List.of("42 10", "43 3") : List.of("42 10"));
        start(Letter.class);
    }

    @Test
    void aWarningTellsHowToFindTheLargestOfTexts() throws SQLException {
        DatabaseRows.execute(
                URL,
                "CREATE TABLE Letter (id BIGINT PRIMARY KEY, page BIGINT, number VARCHAR(40))",
                "INSERT INTO Letter VALUES (1, 42, '9'), (2, 42, '10'), (3, 42, 'A-17')");

        assertThat(DatabaseRows.rows(URL, StoredNumbers.DIGITS.queryOfLargest("number", "Letter")))
                .containsExactly("10");
    }
}
