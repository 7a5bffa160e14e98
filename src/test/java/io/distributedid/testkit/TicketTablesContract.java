package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every ticket table must stand: clients with blocks of all sizes, clients in other languages that draw one ticket
 * at a time, and the crash of the server.
 */
public abstract class TicketTablesContract {

    private static final String SCHEMA = "ticket_tables";

    private static final int PLAIN_CLIENTS = 4;

    private static final int PLAIN_TICKETS = 30;

    private static final int SINGLE_TICKETS = 30;

    /** More than a small block; a table whose engine has no transactions takes a trip for each. */
    private static final int TICKETS = 200;

    /** A ticket server, the first of two. */
    protected abstract DatabaseServer server();

    @ParameterizedTest
    @EnumSource(TicketTableKind.class)
    void clientsWithOtherBlocksAndPlainOnesGetNoIdTwice(TicketTableKind kind) throws Exception {
        create(kind);
        try (DistributedIds single = client(kind, 1);
                DistributedIds small = client(kind, 7);
                DistributedIds large = client(kind, 40_000)) {
            List<DistributedIds> clients = List.of(single, single, small, small, large, large);
            long[] ids = Together.run(clients.size() + PLAIN_CLIENTS, thread -> {
                        if (thread >= clients.size()) {
                            return plainTickets(kind, PLAIN_TICKETS);
                        }
                        IdSource source = clients.get(thread).sequence("photos");
                        return LongStream.generate(source::next)
                                .limit(clients.get(thread) == single ? SINGLE_TICKETS : TICKETS)
                                .toArray();
                    })
                    .stream()
                    .flatMapToLong(LongStream::of)
                    .toArray();
            assertThat(ids).hasSize(PLAIN_CLIENTS * PLAIN_TICKETS + 2 * (SINGLE_TICKETS + 2 * TICKETS));
            assertThat(LongStream.of(ids).distinct().count()).isEqualTo(ids.length);
            assertThat(LongStream.of(ids).filter(id -> id % 2 != 1))
                    .as("ids of the other server")
                    .isEmpty();
        }
    }

    private DistributedIds client(TicketTableKind kind, int block) {
        Map<String, String> settings = kind.settings(server().jdbcUrl(SCHEMA));
        settings.put("distributedid.block.min", Integer.toString(block));
        settings.put("distributedid.block.max", Integer.toString(block));
        return DistributedIds.create(PatientSettings.of(settings));
    }

    /** MySQL keeps which id was written last, not how far a session's increment took the counter. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aServerThatIsKilledOrStoppedGivesNoIdAgain(boolean isKilled) throws Exception {
        Map<TicketTableKind, Long> before = new EnumMap<>(TicketTableKind.class);
        drop();
        for (TicketTableKind kind : TicketTableKind.values()) {
            execute(kind.ddl());
            before.put(kind, LongStream.of(take(kind, 200)).max().orElseThrow());
        }

        if (isKilled) {
            server().kill9();
        }
        server().restart();

        for (TicketTableKind kind : TicketTableKind.values()) {
            assertThat(plainTickets(kind, 1)[0]).as("%s", kind).isGreaterThan(before.get(kind));
            assertThat(LongStream.of(take(kind, 10)).min().orElseThrow())
                    .as("%s", kind)
                    .isGreaterThan(before.get(kind));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"INSERTED", "INSERTED_MYISAM"})
    void oldRowsAreDeleted(TicketTableKind kind) throws Exception {
        create(kind);
        Map<String, String> settings = kind.settings(server().jdbcUrl(SCHEMA));
        settings.put("distributedid.block.max", "1");
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(settings))) {
            for (int i = 0; i < 250; i++) {
                ids.next("photos");
            }
        }
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT COUNT(*), MAX(id) FROM " + kind.table())) {
            row.next();
            assertThat(row.getLong(1)).isBetween(1L, 100L);
            assertThat(row.getLong(2)).isGreaterThanOrEqualTo(499);
        }
    }

    private void create(TicketTableKind kind) throws SQLException {
        drop();
        execute(kind.ddl());
    }

    private void drop() throws SQLException {
        for (TicketTableKind kind : TicketTableKind.values()) {
            execute("DROP TABLE IF EXISTS " + kind.table());
        }
        execute("DROP TABLE IF EXISTS distributedid");
    }

    private void execute(String sql) throws SQLException {
        DatabaseRows.execute(server().jdbcUrl(SCHEMA), sql);
    }

    private long[] take(TicketTableKind kind, int count) {
        Map<String, String> settings = kind.settings(server().jdbcUrl(SCHEMA));
        settings.put("distributedid.block.min", Integer.toString(count));
        settings.put("distributedid.block.max", Integer.toString(count));
        settings.put("distributedid.block.max_age", "off");
        try (DistributedIds ids = DistributedIds.create(PatientSettings.of(settings))) {
            IdSource source = ids.sequence("photos");
            return LongStream.generate(source::next).limit(count).toArray();
        }
    }

    private long[] plainTickets(TicketTableKind kind, int count) throws SQLException {
        LongStream.Builder tickets = LongStream.builder();
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < count; i++) {
                tickets.add(plainTicket(kind, statement));
            }
        }
        return tickets.build().toArray();
    }

    /** A client of Flickr's table repeats what ended in a deadlock. */
    private static long plainTicket(TicketTableKind kind, Statement statement) throws SQLException {
        while (true) {
            try {
                statement.executeUpdate(kind.plainTicket());
                break;
            } catch (SQLException e) {
                if (!"40001".equals(e.getSQLState())) {
                    throw e;
                }
            }
        }
        try (ResultSet row = statement.executeQuery("SELECT LAST_INSERT_ID()")) {
            row.next();
            return row.getLong(1);
        }
    }
}
