package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.spi.IdSource;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every ticket table must stand: clients with blocks of all sizes in several processes, clients in other languages
 * that draw one ticket at a time, and the crash of the server.
 */
public abstract class TicketTablesContract {

    private static final String SCHEMA = "ticket_tables";

    private static final int THREADS = 2;

    private static final int PLAIN_CLIENTS = 4;

    private static final int PLAIN_TICKETS = 100;

    private static final long PATIENCE_SECONDS = 120;

    /** A ticket server, the first of two. */
    protected abstract DatabaseServer server();

    @ParameterizedTest
    @EnumSource(TicketTableKind.class)
    void clientsWithOtherBlocksAndPlainOnesGetNoIdTwice(TicketTableKind kind, @TempDir Path folder) throws Exception {
        create(kind);
        int[] blocks = {1, 7, 40_000};
        List<ContractNode> nodes = new ArrayList<>();
        ExecutorService pool = Executors.newFixedThreadPool(PLAIN_CLIENTS);
        try {
            for (int block : blocks) {
                Map<String, String> settings = kind.settings(server().jdbcUrl(SCHEMA));
                settings.put("distributedid.block.min", Integer.toString(block));
                settings.put("distributedid.block.max", Integer.toString(block));
                nodes.add(ContractNode.start(folder, settings, "photos", THREADS, block == 1 ? 100 : 2_000));
            }
            List<Future<LongStream>> plain = new ArrayList<>();
            for (int client = 0; client < PLAIN_CLIENTS; client++) {
                plain.add(pool.submit(() -> plainTickets(kind)));
            }
            for (ContractNode node : nodes) {
                node.go();
            }
            LongStream all = LongStream.empty();
            for (Future<LongStream> tickets : plain) {
                all = LongStream.concat(all, tickets.get(PATIENCE_SECONDS, TimeUnit.SECONDS));
            }
            for (ContractNode node : nodes) {
                all = LongStream.concat(all, node.ids(THREADS).stream().flatMapToLong(LongStream::of));
            }
            long[] ids = all.toArray();
            assertThat(ids).hasSize(PLAIN_CLIENTS * PLAIN_TICKETS + THREADS * (100 + 2 * 2_000));
            assertThat(LongStream.of(ids).distinct().count()).isEqualTo(ids.length);
            assertThat(LongStream.of(ids).filter(id -> id % 2 != 1))
                    .as("ids of the other server")
                    .isEmpty();
        } finally {
            pool.shutdownNow();
            nodes.forEach(ContractNode::close);
        }
    }

    @ParameterizedTest
    @EnumSource(TicketTableKind.class)
    void aServerThatIsKilledGivesNoIdAgain(TicketTableKind kind) throws Exception {
        create(kind);
        long before = LongStream.of(take(kind, 1_000)).max().orElseThrow();

        server().kill9();
        server().restart();

        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            assertThat(plainTicket(kind, statement)).isGreaterThan(before);
        }
        assertThat(LongStream.of(take(kind, 10)).min().orElseThrow()).isGreaterThan(before);
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
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS " + kind.table());
            statement.execute("DROP TABLE IF EXISTS distributedid_record");
            statement.execute(kind.ddl());
        }
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

    private LongStream plainTickets(TicketTableKind kind) throws SQLException {
        LongStream.Builder tickets = LongStream.builder();
        try (Connection connection = server().connect(SCHEMA);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < PLAIN_TICKETS; i++) {
                tickets.add(plainTicket(kind, statement));
            }
        }
        return tickets.build();
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
