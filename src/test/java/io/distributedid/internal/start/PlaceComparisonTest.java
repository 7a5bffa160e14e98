package io.distributedid.internal.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.place.RememberedPlaces.IdSpace;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PlaceComparisonTest {

    private static final String SERVER = "jdbc:h2:mem:place_check;DB_CLOSE_DELAY=-1";

    private static final IdPlace PLACE =
            new IdPlace("Order", "id", "orders", false, false, "orders", "id", Optional.empty());

    /** The application's database. */
    private static final class Orders implements ConnectionAccess {

        @Override
        public Connection obtain() throws SQLException {
            return DriverManager.getConnection(SERVER);
        }

        @Override
        public String label() {
            return "orders";
        }
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("place_check");
    }

    private static Map<String, String> strict(String owner) {
        return new HashMap<>(Map.of(
                "distributedid.backend", "snowflake",
                "distributedid.snowflake.worker", "exclusive",
                "distributedid.snowflake.layout", "strict",
                "distributedid.snowflake.lease.server", SERVER,
                "distributedid.create_tables", "true",
                "distributedid.snowflake.lease.owner", owner,
                "distributedid.existing_ids", "raise"));
    }

    private static void compare(DistributedIds ids, Map<String, String> all, Map<String, IdSpace> spaces) {
        Settings settings = Settings.of(all);
        int unused = StartConnection.read("ids", new Orders(), settings, connection -> {
            new PlaceComparison(List.of(PLACE), ids, settings, System.getLogger(PlaceComparisonTest.class.getName()))
                    .compare(connection, spaces);
            return 0;
        });
    }

    private static void insert(long id) throws SQLException {
        DatabaseRows.execute(
                SERVER, "CREATE TABLE orders (id BIGINT PRIMARY KEY)", "INSERT INTO orders VALUES (" + id + ")");
    }

    /** A start waits for both at once; each would wait for ever for the other, if one had to end first. */
    @Test
    void tablesAreReadWhileSequencesAreOpened() {
        CountDownLatch isRead = new CountDownLatch(1);
        CountDownLatch isOpening = new CountDownLatch(1);
        List<String> steps = new CopyOnWriteArrayList<>();
        StartConnection.read(
                "ids",
                new Orders(),
                Settings.of(Map.of()),
                connection -> {
                    await(isOpening);
                    steps.add("read");
                    isRead.countDown();
                },
                () -> {
                    isOpening.countDown();
                    await(isRead);
                    steps.add("opened");
                },
                connection -> steps.add("compared"));

        assertThat(steps).containsExactly("read", "opened", "compared");
    }

    @Test
    void nothingIsComparedIfTheSequencesDoNotOpen() {
        List<String> steps = new CopyOnWriteArrayList<>();
        assertThatThrownBy(() -> StartConnection.read(
                        "ids",
                        new Orders(),
                        Settings.of(Map.of()),
                        connection -> steps.add("read"),
                        () -> {
                            throw new IdConfigurationException("no such server");
                        },
                        connection -> steps.add("compared")))
                .hasMessage("no such server");

        assertThat(steps).containsExactly("read");
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(1, TimeUnit.MINUTES)).isTrue();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** The active process gives the ids, and was compared when it started. */
    @Test
    void aStandbyProcessStartsThoughItCanNotRaise() throws SQLException {
        try (DistributedIds active = DistributedIds.create(strict("first"));
                DistributedIds standby = DistributedIds.create(strict("second"));
                LoggedWarnings warnings = LoggedWarnings.of(PlaceComparisonTest.class)) {
            insert(active.next("orders"));
            standby.sequence("orders");

            compare(standby, strict("second"), Map.of());

            assertThat(warnings.messages())
                    .singleElement()
                    .asString()
                    .startsWith("A sequence was not raised, since another process issues its ids: seq=orders. This"
                            + " process is on standby, and another process gives the ids: active=first");
        }
    }

    /** In the wrong place a counter must not be raised: nobody could tell that it had been another one. */
    @Test
    void thePlaceIsComparedThenTheCounterRaisedThenAnIdGiven() throws SQLException {
        insert(5_000);
        Map<String, String> settings = Map.of(
                "distributedid.backend", "sequence_table",
                "distributedid.sequence_table.servers", SERVER,
                "distributedid.create_tables", "true",
                "distributedid.existing_ids", "raise");
        try (DistributedIds ids = DistributedIds.builder()
                .settings(settings)
                .tokensComparedByCaller()
                .build()) {
            ids.sequence("orders");
            String token = ids.admin().token("orders").orElseThrow();
            try (Connection connection = new Orders().obtain()) {
                new RememberedPlaces(connection, Optional.empty(), "orders").check(spaces("another"));
            }
            assertThatThrownBy(() -> compare(ids, settings, spaces(token)))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageContaining("from a different place than before: seq=orders");
            assertThat(counter()).as("the counter of the wrong place").isZero();

            DatabaseRows.execute(SERVER, "DELETE FROM distributedid WHERE name = '@place/orders'");
            compare(ids, settings, spaces(token));
            assertThat(counter()).isEqualTo(5_000);
            assertThat(ids.next("orders")).isGreaterThan(5_000);
        }
    }

    private static Map<String, IdSpace> spaces(String token) {
        return Map.of("orders", new IdSpace("orders", token, false));
    }

    private static long counter() throws SQLException {
        return DatabaseRows.number(SERVER, "SELECT id FROM sequence WHERE name = 'orders'");
    }
}
