package io.distributedid.hibernate.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CounterMove;
import io.distributedid.DistributedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The database of the entities remembers where their worker numbers are leased. A start with another place is refused.
 */
class LeasedIdSpaceTest {

    @Entity(name = "Photo")
    static class Photo {
        @Id
        @DistributedId(seq = "photos")
        Long id;
    }

    private static final Map<String, String> OLD = Map.of("lease.server", url("space_workers"));

    private static final Map<String, String> NEW = Map.of("lease.server", url("space_others"));

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("space", "space_workers", "space_others");
    }

    @Test
    void anotherPlaceIsRefusedUntilItCountsForItself() throws SQLException {
        persist(OLD);

        assertThatThrownBy(() -> persist(NEW))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A sequence takes its worker numbers from a different place than before: seq=photos token=")
                .hasMessageContaining(", but jdbc:h2:mem:space holds ids of token=")
                .hasMessageEndingWith(
                        ". Check the settings of snowflake.lease. If the ids came from another backend before, stop the"
                                + " instances with the old settings and run: distributedid move photos --from"
                                + " OLD.properties --config NEW.properties --database URL; if all instances were stopped, and their windows"
                                + " have ended, or the database is a copy: distributedid move photos --new-space"
                                + " --database URL" + ExistingIdsTest.RESET
                                + Pages.onCall("place-workers"));
        persist(OLD);
        countForItself(NEW);
        persist(NEW);
        assertThatThrownBy(() -> persist(OLD)).isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void aPlaceThatNobodyHasUsedMayCountForItself() throws SQLException {
        persist(OLD);
        countForItself(NEW);
        persist(NEW);
        assertThat(remembered()).containsExactly("@place/photos");
    }

    @Test
    void processesWhoseFieldsDifferMayHaveDifferentPlaces() throws SQLException {
        Map<String, String> lecture = Map.of("layout", "time:38, data_centre:4, business:4, worker:8, sequence:9");
        persist(with(with(OLD, lecture), Map.of("data_centre", "1", "business", "3")));
        persist(with(with(NEW, lecture), Map.of("data_centre", "2", "business", "3")));

        assertThat(remembered())
                .containsExactly("@place/photos/data_centre=1/business=3", "@place/photos/data_centre=2/business=3");
        assertThatThrownBy(() -> persist(with(with(NEW, lecture), Map.of("data_centre", "1", "business", "3"))))
                .isInstanceOf(IdConfigurationException.class);
    }

    @Test
    void aFixedNumberThatIsNotLeasedHasNoPlace() throws SQLException {
        Map<String, String> fixed = Map.of("worker", "7");
        persist(fixed);

        try (DistributedIds ids = DistributedIds.create(settings(fixed))) {
            assertThat(ids.admin().token("photos")).isEmpty();
            assertThatThrownBy(() -> ids.admin().move("photos", move(CounterMove.Kind.NEW_SPACE)))
                    .hasMessageStartingWith("Only worker numbers that are leased have a store: seq=photos");
        }
    }

    @Test
    void aPlaceOfWorkerNumbersHasNoCounterThatEnds() {
        try (DistributedIds ids = DistributedIds.create(settings(OLD))) {
            assertThatThrownBy(() -> ids.admin().move("photos", move(CounterMove.Kind.END)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A store of worker numbers has no counter that could end: seq=photos. To continue with"
                            + " counters, stop all processes, and run with the new settings: distributedid move photos"
                            + " --new-space --above <largest id in use> --database URL");
            assertThatThrownBy(() -> ids.admin().move("photos", move(CounterMove.Kind.LOST)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("--lost is for counters, not for worker numbers: seq=photos. If the store of leases is"
                            + " lost for good, initialize another, and record it in the databases of the entities:"
                            + " distributedid init photos, and distributedid move photos --new-space --database URL");
        }
    }

    private static CounterMove move(CounterMove.Kind kind) {
        return new CounterMove(kind, List.of(), 0, Set.of(), false, highest -> {}, LeasedIdSpaceTest::remember);
    }

    private static void remember(String token) {
        try {
            DatabaseRows.execute(
                    url("space"), "UPDATE distributedid SET text = 'token=" + token + "' WHERE name = '@place/photos'");
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    private static List<String> remembered() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("space"));
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT name FROM distributedid WHERE name LIKE '@place/%' ORDER BY name")) {
            List<String> names = new ArrayList<>();
            while (row.next()) {
                names.add(row.getString(1));
            }
            return names;
        }
    }

    private static void countForItself(Map<String, String> more) {
        try (DistributedIds ids = DistributedIds.create(settings(more))) {
            assertThat(ids.admin().move("photos", move(CounterMove.Kind.NEW_SPACE)))
                    .isZero();
        }
    }

    private static void persist(Map<String, String> more) {
        Configuration configuration = new Configuration()
                .setProperty("hibernate.connection.url", url("space"))
                .setProperty("hibernate.hbm2ddl.auto", "update")
                .addAnnotatedClass(Photo.class);
        settings(more).forEach(configuration::setProperty);
        try (SessionFactory factory = configuration.buildSessionFactory()) {
            factory.inTransaction(session -> session.persist(new Photo()));
        }
    }

    private static Map<String, String> with(Map<String, String> settings, Map<String, String> more) {
        Map<String, String> all = new HashMap<>(settings);
        all.putAll(more);
        return all;
    }

    private static Map<String, String> settings(Map<String, String> more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "distributedid.backend",
                "snowflake",
                "distributedid.snowflake.worker",
                "lease",
                "distributedid.create_tables",
                "true",
                "distributedid.snowflake.lease.window",
                "1s"));
        more.forEach((name, value) -> settings.put("distributedid.snowflake." + name, value));
        return settings;
    }

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }
}
