package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Setting;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.H2Servers;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.h2.jdbcx.JdbcDataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("slow")
class H2TicketTest {

    private H2Servers first;

    private H2Servers second;

    @BeforeEach
    void start() throws SQLException {
        // Names are global to the JVM, whatever the server: what the last test left is dropped.
        H2Servers.drop("odd", "even");
        first = H2Servers.start();
        second = H2Servers.start();
    }

    @AfterEach
    void stop() {
        first.close();
        second.close();
    }

    @Test
    void oneServerGivesOddIdsAndTheOtherEvenOnes() {
        try (DistributedIds ids = open(first.url("odd") + "," + second.url("even"), Map.of("block.max", "1"))) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(ids.next("photos")).isEqualTo(2);
            assertThat(ids.next("photos")).isEqualTo(3);
            assertThat(ids.decode("photos", 3).field("server")).isEqualTo(1);
            assertThat(ids.decode("photos", 4).field("server")).isEqualTo(2);
        }
    }

    @Test
    void aServerThatAcceptsConnectionsAndSaysNothingIsPassedOverInTime() throws Exception {
        claim(second.url("even") + ", " + first.url("odd"));
        try (ServerSocket silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
                DistributedIds ids = open(
                        "jdbc:h2:tcp://localhost:" + silent.getLocalPort() + "/mem:silent, " + first.url("odd"),
                        Map.of("timeout", "2s"))) {
            assertThat(ids.next("photos")).isEqualTo(2);
        }
    }

    @Test
    void aDeadServerIsAskedOnceForAllSequencesAtStart() throws Exception {
        claim("jdbc:h2:mem:odd;DB_CLOSE_DELAY=-1, jdbc:h2:mem:even;DB_CLOSE_DELAY=-1");
        AtomicInteger asked = new AtomicInteger();
        ConnectionAccess dead = new ConnectionAccess() {
            @Override
            public Connection obtain() throws SQLException {
                asked.incrementAndGet();
                throw new SQLException("dead");
            }

            @Override
            public String label() {
                return "dead";
            }
        };
        JdbcDataSource live = new JdbcDataSource();
        live.setUrl("jdbc:h2:mem:odd;DB_CLOSE_DELAY=-1");
        try (DistributedIds ids = open(List.of(live, dead), Map.of())) {
            for (int i = 0; i < 20; i++) {
                ids.sequence("photos" + i);
            }
        }

        assertThat(asked).hasValue(1);
    }

    @Test
    void withoutAnyServerTheStartFailsAndSaysWhatEachSaid() {
        String dead = first.url("odd");
        String label = dead.substring(0, dead.indexOf(';'));
        first.close();

        assertThatThrownBy(() -> open(dead, Map.of("block.timeout", "100ms", "timeout", "1m"))
                        .next("photos"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("No server gives ids; " + label
                        + " said: Connection refused. Check that the server"
                        + " runs, and its host and port in distributedid.ticket.servers" + Pages.onCall("no-server"));
    }

    @Test
    void theIncrementLeavesRoomAndIsRecorded() {
        String two = first.url("odd") + "," + second.url("even");
        try (DistributedIds ids = open(two, Map.of("ticket.increment", "", "block.max", "1"))) {
            assertThat(takeUntil(ids, 1L, 2L, 11L)).allMatch(id -> id % 10 == 1 || id % 10 == 2);
            assertThat(ids.decode("photos", 12).fields()).containsEntry("server", 2L);
        }

        assertThatThrownBy(() -> open(two, Map.of("ticket.increment", "2")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining(
                        "/mem:odd is used with increment=10 offset=1, but this client has" + " increment=2 offset=1");
    }

    @Test
    void anIncrementMustFitTheServersAndTheNumbering() {
        String two = first.url("odd") + "," + second.url("even");

        assertThatThrownBy(() -> open(two, Map.of("ticket.increment", "1")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.ticket.increment=1, allowed: at"
                        + " least the number of servers, 2, to 1000");
        assertThatThrownBy(() -> open(two, Map.of("ticket.increment", "10", "ticket.numbering", "server"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting has a value that is not allowed: distributedid.ticket.increment=10, allowed:"
                        + " only with distributedid.ticket.numbering=client. Remove it, and write"
                        + " auto_increment_increment into my.cnf of each server");
    }

    @Test
    void moreThanTenServersNeedAnIncrement() {
        String eleven = IntStream.rangeClosed(1, 11)
                .mapToObj(server -> "jdbc:h2:mem:of_eleven_" + server)
                .collect(Collectors.joining(","));

        assertThatThrownBy(() -> open(eleven, Map.of("ticket.increment", "")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A setting is missing: distributedid.ticket.increment, allowed: a number from 1 to 1000."
                        + " There are 11 servers, and its default is 10. Set the increment to at least 11, the same in"
                        + " all applications");
    }

    @Test
    void aMissingTableIsRefusedWithItsDdl() {
        assertThatThrownBy(() ->
                        open(first.url("odd"), Map.of("create_tables", "false")).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The ticket table is missing: table=Tickets64 on jdbc:h2:tcp:")
                .hasMessageContaining("Create it: CREATE TABLE IF NOT EXISTS Tickets64")
                .hasMessageEndingWith("or let the first client create it: distributedid.create_tables=true");
    }

    @Test
    void anH2ServerHasNoNumberingOfItsOwn() {
        assertThatThrownBy(() -> open(first.url("odd"), Map.of("ticket.increment", "", "ticket.numbering", "server"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("An H2 server has no increment and offset of its own:"
                        + " distributedid.ticket.numbering=server, allowed: client");
    }

    @Test
    void aTableNameThatIsNoNameIsRefused() {
        assertThatThrownBy(() -> open(first.url("odd"), Map.of("ticket.table", "t; DROP TABLE t"))
                        .next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("distributedid.ticket.table=t; DROP TABLE t, allowed: a name of letters");
    }

    @Test
    void missingServersAreRefused() {
        assertThatThrownBy(() -> open("", Map.of()).next("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A setting is missing: distributedid.ticket.servers, allowed: JDBC URLs");
    }

    /** A server that is slow for a moment is passed by. */
    private static Set<Long> takeUntil(DistributedIds ids, Long... wanted) {
        Set<Long> taken = new TreeSet<>();
        Await.until("these ids were given", () -> taken.containsAll(Set.of(wanted)) || !taken.add(ids.next("photos")));
        assertThat(taken).contains(wanted);
        return taken;
    }

    @Test
    void aSequenceCanHaveATableOfItsOwn() {
        Map<String, String> own = Map.of("seq.photos.ticket.table", "TicketsPhotos");
        try (DistributedIds ids = open(first.url("odd"), own)) {
            assertThat(ids.next("photos")).isEqualTo(1);
            assertThat(ids.next("users")).isEqualTo(1);
            assertThat(ids.next("comments")).isGreaterThan(1);
        }
    }

    private static void claim(String servers) {
        try (DistributedIds ids = open(servers, Map.of())) {
            ids.sequence("photos");
        }
    }

    /** With increment 2 unless {@code more} says otherwise; empty: the default. */
    private static DistributedIds open(Object servers, Map<String, String> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "distributedid.backend", "ticket",
                "distributedid.ticket.servers", servers,
                "distributedid.ticket.numbering", "client",
                "distributedid.ticket.increment", "2",
                "distributedid.max_distance", "1000000",
                "distributedid.create_tables", "true"));
        more.forEach((name, value) -> settings.put(Setting.PREFIX + name, value));
        return DistributedIds.create(settings);
    }
}
