package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.DistributedValue;
import io.distributedid.IdUnavailableException;
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

/** A start goes on without one of the servers that hold the rows of keys. */
class SilentServerTest {

    private static final String URL = "jdbc:h2:mem:silent_rows;DB_CLOSE_DELAY=-1";

    private static final String ALIVE = "jdbc:h2:mem:silent_server_2;DB_CLOSE_DELAY=-1";

    /** On the first server; the next one is on the second. */
    private static final String KEY = "1";

    private static final String OTHER_KEY = "5";

    @Entity(name = "Remark")
    static class Remark {
        @Id
        Long id;

        Long conversation;

        @DistributedValue(seq = "remarks", per = "conversation")
        Long number;
    }

    private H2Servers first;

    @BeforeEach
    void startServer() throws SQLException {
        first = H2Servers.start();
    }

    @AfterEach
    void drop() throws SQLException {
        first.close();
        H2Servers.drop("silent_rows", "silent_server_1", "silent_server_2");
    }

    private Map<String, String> settings() {
        return Map.of(
                "distributedid.keyed.row.servers",
                first.url("silent_server_1") + ", " + ALIVE,
                "distributedid.create_tables",
                "true");
    }

    private List<String> warningsOfStart(String timeout) {
        Configuration configuration = new Configuration()
                .addAnnotatedClass(Remark.class)
                .setProperty("hibernate.connection.url", URL)
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .setProperty("distributedid.block.timeout", timeout);
        settings().forEach(configuration::setProperty);
        try (LoggedWarnings warnings = LoggedWarnings.of(KeyedCheck.class)) {
            configuration.buildSessionFactory().close();
            return List.copyOf(warnings.messages());
        }
    }

    @Test
    void oneThatAnswersIsEnough() throws SQLException {
        try (DistributedIds ids = DistributedIds.create(settings())) {
            ids.keyed("remarks").next(KEY);
            ids.keyed("remarks").next(OTHER_KEY);
        }
        assertThat(warningsOfStart("1m")).isEmpty();
        for (String key : List.of(KEY, OTHER_KEY)) {
            DatabaseRows.execute(
                    URL, "INSERT INTO Remark (id, conversation, number) VALUES (" + key + ", " + key + ", 1)");
        }
        first.close();

        assertThat(warningsOfStart("6s"))
                .singleElement()
                .asString()
                .contains("Remark.number (seq=remarks): It is unknown whether the numbers of rows were given by their"
                        + " sequence: table=Remark column=number, because 1 of 2 servers have not answered");
    }

    @Test
    void theFirstUseNeedsAll() {
        first.close();

        assertThatThrownBy(() -> warningsOfStart("1s")).isInstanceOf(IdUnavailableException.class);
    }
}
