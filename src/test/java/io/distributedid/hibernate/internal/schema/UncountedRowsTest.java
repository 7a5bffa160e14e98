package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.SQLException;
import java.util.Map;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
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
        for (String ddl : DistributedIds.ddl(Map.of("distributedid.keyed.backend", "row"), "h2")) {
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
}
