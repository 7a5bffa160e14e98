package io.distributedid.mysql;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.MySqlServer;
import io.distributedid.testkit.Need;
import io.distributedid.testkit.Needs;
import io.distributedid.testkit.Ports;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.assertj.core.util.Throwables;
import org.junit.jupiter.api.Test;

/** What an operator reads if no connection is available: the innermost reason, and the setting to check. */
@Needs(Need.MYSQL)
class ConnectMessageTest {

    /** Too long for a name server: it is refused without asking one. */
    private static final String NO_HOST = "h".repeat(70);

    private static final String PASSWORD = "battery-staple";

    private final MySqlServer server = MySqlServers.odd();

    @Test
    void anUnknownHostIsNamed() {
        refuses(
                "jdbc:mysql://" + NO_HOST + ":3306/tickets",
                Map.of(),
                "No server gives ids; jdbc:mysql://" + NO_HOST + ":3306/tickets said: Unknown host: host=" + NO_HOST
                        + ". Check the host in distributedid.ticket.servers");
    }

    @Test
    void aRefusedPortIsToldAsSuch() {
        String url = "jdbc:mysql://127.0.0.1:" + Ports.take() + "/tickets";

        refuses(
                url,
                Map.of(),
                "No server gives ids; " + url + " said: Connection refused. Check that the server runs, and its host"
                        + " and port in distributedid.ticket.servers");
    }

    @Test
    void aWrongPasswordIsToldWithItsSetting() throws SQLException {
        TicketPair.execute(server, "CREATE USER guarded IDENTIFIED BY 'correct-horse'");
        try {
            refuses(
                    url(server, TicketPair.SCHEMA),
                    Map.of("distributedid.ticket.user", "guarded", "distributedid.ticket.password", PASSWORD),
                    "No server gives ids; " + TicketPair.label(server) + " said: Access denied for user"
                            + " 'guarded'@'localhost' (using password: YES). Check distributedid.ticket.user and"
                            + " distributedid.ticket.password, or user and password in the URL if it has them");
        } finally {
            TicketPair.execute(server, "DROP USER guarded");
        }
    }

    @Test
    void theSettingsOfOneSequenceAreNamedAsTheUserWroteThem() throws SQLException {
        TicketPair.execute(server, "CREATE USER guarded_too IDENTIFIED BY 'correct-horse'");
        String photos = "distributedid.seq.photos.ticket.";
        try {
            refuses(
                    url(server, TicketPair.SCHEMA),
                    Map.of(photos + "user", "guarded_too", photos + "password", PASSWORD),
                    "No server gives ids; " + TicketPair.label(server) + " said: Access denied for user"
                            + " 'guarded_too'@'localhost' (using password: YES). Check " + photos + "user and " + photos
                            + "password, or user and password in the URL if it has them");
        } finally {
            TicketPair.execute(server, "DROP USER guarded_too");
        }
    }

    @Test
    void anUnknownDatabaseIsNamed() {
        refuses(
                url(server, "nothing"),
                Map.of("distributedid.ticket.user", "root"),
                "No server gives ids; jdbc:mysql://127.0.0.1:" + server.port() + "/nothing said: Unknown database"
                        + " 'nothing'. Check the database in distributedid.ticket.servers, and the rights of its user");
    }

    private static String url(MySqlServer server, String schema) {
        return "jdbc:mysql://127.0.0.1:" + server.port() + "/" + schema
                + "?sslMode=DISABLED&allowPublicKeyRetrieval=true";
    }

    private static void refuses(String servers, Map<String, String> more, String message) {
        Map<String, String> settings = new HashMap<>(more);
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers);
        settings.put("distributedid.block.timeout", "100ms");
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessage(message + Pages.onCall("no-server"))
                    .extracting(Throwables::getStackTrace, InstanceOfAssertFactories.STRING)
                    .doesNotContain(PASSWORD);
        }
    }
}
