package io.distributedid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.H2Servers;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Without Hibernate, a sequence is configured with another place than before. */
class PlaceOfCounterTest {

    private static final int MANY = 1_000;

    private static final String SERVER = url("place_ids");

    /** The logger of {@code TokenCheck}, which is package-private. */
    private static final Class<?> CHECK = checkClass();

    private final GivenIds given = new GivenIds();

    private static Class<?> checkClass() {
        try {
            return Class.forName("io.distributedid.internal.registry.TokenCheck");
        } catch (ClassNotFoundException e) {
            throw new AssertionError(e);
        }
    }

    private static String url(String database) {
        return "jdbc:h2:mem:" + database + ";DB_CLOSE_DELAY=-1";
    }

    @AfterEach
    void drop() throws SQLException {
        H2Servers.drop("place_ids", "place_app");
    }

    private static final class OwnDatabase implements ConnectionAccess {

        private boolean isDown;

        @Override
        public Connection obtain() throws SQLException {
            if (isDown) {
                throw new SQLException("down");
            }
            return DriverManager.getConnection(url("place_app"));
        }

        @Override
        public String label() {
            return "own database";
        }
    }

    private static DistributedIds.Builder builder(String backend, String... more) {
        Map<String, String> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", SERVER);
        settings.put("distributedid.create_tables", "true");
        if (backend.equals("ticket")) {
            settings.put("distributedid.ticket.numbering", "client");
        }
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return DistributedIds.builder().settings(settings);
    }

    @ParameterizedTest
    @CsvSource({
        "sequence_table, sequence_table.table, sequence, sequence2",
        "ticket, ticket.table, Tickets64, OtherTickets",
        "ticket, ticket.bits, 32, 64"
    })
    void anotherPlaceIsRefusedByTheOwnDatabase(String backend, String setting, String before, String after)
            throws SQLException {
        OwnDatabase own = new OwnDatabase();
        try (DistributedIds running = builder(backend, setting, before)
                        .applicationDatabase(own)
                        .build();
                DistributedIds moved = builder(backend, setting, after)
                        .applicationDatabase(own)
                        .build()) {
            given.take(running, MANY);
            RuntimeException refusal = given.tryToTake(moved, MANY);
            given.take(running, MANY);
            given.assertNoneTwice();
            assertThat(refusal)
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessageStartingWith("A sequence takes its ids from a different place than before: seq=photos")
                    .hasMessageContaining("own database holds ids of token="
                            + running.admin().token("photos").orElseThrow());
            assertThatThrownBy(() -> moved.next("photos")).isInstanceOf(IdConfigurationException.class);
        }
        try (DistributedIds later =
                builder(backend, setting, before).applicationDatabase(own).build()) {
            given.take(later, MANY);
        }
        given.assertNoneTwice();
    }

    @Test
    void withoutAnOwnDatabaseItIsWarnedOfOnce() {
        try (LoggedWarnings warnings = LoggedWarnings.of(CHECK)) {
            for (int i = 0; i < 2; i++) {
                try (DistributedIds ids = builder("sequence_table").build()) {
                    ids.next("photos");
                    ids.next("videos");
                }
            }
            assertThat(warnings.messages())
                    .hasSize(2)
                    .allSatisfy(message -> assertThat(message)
                            .startsWith("No database stores where the ids of a sequence come from: seq=")
                            .contains("Builder.applicationDatabase", "ids.admin().token(", "distributedid move"));
        }
    }

    @Test
    void whoeverComparesTheTokensIsNotWarned() throws SQLException {
        try (LoggedWarnings warnings = LoggedWarnings.of(CHECK);
                DistributedIds ids = builder("sequence_table")
                        .applicationDatabase(new OwnDatabase())
                        .tokensComparedByCaller()
                        .build()) {
            ids.next("photos");
            assertThat(warnings.messages()).isEmpty();
            assertThat(DatabaseRows.number(
                            url("place_app"),
                            "SELECT COUNT(*) FROM information_schema.tables WHERE table_schema = 'PUBLIC'"))
                    .isZero();
        }
    }

    @Test
    void whatDoesNotCountHasNoPlace() {
        try (LoggedWarnings warnings = LoggedWarnings.of(CHECK);
                DistributedIds ids = DistributedIds.create(
                        Map.of("distributedid.backend", "snowflake", "distributedid.snowflake.worker", "7"))) {
            ids.next("photos");
            assertThat(warnings.messages()).isEmpty();
        }
    }

    @Test
    void anOwnDatabaseThatIsDownIsAskedAgain() {
        OwnDatabase own = new OwnDatabase();
        own.isDown = true;
        try (DistributedIds ids = builder("sequence_table", "block.timeout", "100ms")
                .applicationDatabase(own)
                .build()) {
            for (int i = 0; i < 3; i++) {
                assertThatThrownBy(() -> ids.next("photos"))
                        .isInstanceOf(IdUnavailableException.class)
                        .hasMessageStartingWith(
                                "Can't read from the application's database where a sequence was counted before")
                        .hasMessageContaining("own database said: down");
            }
            own.isDown = false;
            Await.until("it is asked again", () -> {
                try {
                    return ids.next("photos") == 1;
                } catch (IdUnavailableException e) {
                    return false;
                }
            });
        }
    }

    @Test
    void anOwnDatabaseThatMayOnlyBeReadIsWarnedOf() throws SQLException {
        DatabaseRows.execute(
                url("place_app"),
                new LedgerSql(DatabaseProduct.H2, LedgerSql.NAME).ddl(),
                "CREATE USER reader PASSWORD 'reader'",
                "GRANT SELECT ON distributedid TO reader");
        ConnectionAccess readOnly = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                return DriverManager.getConnection("jdbc:h2:mem:place_app", "reader", "reader");
            }

            @Override
            public String label() {
                return "own database that is read";
            }
        };
        try (LoggedWarnings warnings = LoggedWarnings.of(RememberedPlaces.class);
                DistributedIds ids =
                        builder("sequence_table").applicationDatabase(readOnly).build()) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(warnings.messages()).hasSize(1);
        }
    }
}
