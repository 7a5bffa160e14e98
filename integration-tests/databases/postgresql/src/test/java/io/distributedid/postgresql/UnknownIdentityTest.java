package io.distributedid.postgresql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdAdmin;
import io.distributedid.internal.ledger.ServerIdentity;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** One user may read the identity of the server, another may not. The server is the same. */
class UnknownIdentityTest {

    private static final int MANY = 200;

    /** Twice {@code max_distance}. */
    private static final long RAISED = 20_000_000;

    private static String url(String user) {
        return Postgres.url().replace("user=postgres", "user=" + user + "&password=secret") + "&currentSchema=unknown";
    }

    @BeforeEach
    void create() throws SQLException {
        DatabaseRows.execute(
                Postgres.url(),
                "REVOKE EXECUTE ON FUNCTION pg_control_system() FROM PUBLIC",
                "CREATE SCHEMA unknown",
                "CREATE USER knows PASSWORD 'secret'",
                "CREATE USER ignorant PASSWORD 'secret'",
                "GRANT ALL ON SCHEMA unknown TO knows, ignorant",
                "GRANT EXECUTE ON FUNCTION pg_control_system() TO knows");
        for (String ddl : IdAdmin.ddl(Map.of("distributedid.backend", "sequence_table"), "postgresql")) {
            DatabaseRows.execute(Postgres.url() + "&currentSchema=unknown", ddl);
        }
        DatabaseRows.execute(Postgres.url(), "GRANT ALL ON ALL TABLES IN SCHEMA unknown TO knows, ignorant");
    }

    @AfterEach
    void drop() throws SQLException {
        DatabaseRows.execute(
                Postgres.url(),
                "DROP SCHEMA unknown CASCADE",
                "REVOKE ALL ON FUNCTION pg_control_system() FROM knows",
                "DROP USER knows",
                "DROP USER ignorant",
                "GRANT EXECUTE ON FUNCTION pg_control_system() TO PUBLIC");
    }

    @Test
    void twoUsersOfOneServerDoNotRaiseItAgainAndAgain() {
        GivenIds given = new GivenIds();
        try (DistributedIds one = GivenIds.sequenceTable(url("knows"));
                DistributedIds other = GivenIds.sequenceTable(url("ignorant"))) {
            for (int i = 0; i < MANY / 10; i++) {
                given.take(one, 10);
                given.take(other, 10);
            }
        }
        given.assertNoneTwice();
        assertThat(given.highest()).isLessThan(RAISED);
    }

    /** Unknown is what the user may not read, not what is not there. */
    @Test
    void theIdentityOfATableThatIsMissingIsAnError() throws SQLException {
        try (Connection connection = DriverManager.getConnection(url("knows"))) {
            assertThat(ServerIdentity.of(connection, DatabaseProduct.POSTGRESQL, "sequence"))
                    .startsWith("system ");
            assertThatThrownBy(() -> ServerIdentity.of(connection, DatabaseProduct.POSTGRESQL, "missing"))
                    .isInstanceOf(SQLException.class);
        }
    }
}
