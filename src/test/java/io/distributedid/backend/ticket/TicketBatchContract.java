package io.distributedid.backend.ticket;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.internal.counter.Draw;
import io.distributedid.internal.counter.Fence;
import io.distributedid.spi.Block;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.CountedTrips;
import io.distributedid.testkit.DatabaseRows;
import io.distributedid.testkit.GivenIds;
import io.distributedid.testkit.Together;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Ticket tables of their own, from which one session draws together: what is wrong with one is no matter of others. */
public abstract class TicketBatchContract {

    private static final int TABLES = 8;

    /** Changed, or locked, while the others go on. */
    private static final String ODD = "T3";

    private static final Set<String> OTHERS = new TreeSet<>(names(TABLES));

    static {
        OTHERS.remove(ODD);
    }

    private final Map<String, Block> drawn = new LinkedHashMap<>();

    private final Set<String> locked = new TreeSet<>();

    /** The URL of a database that is empty. */
    protected abstract String url(String name) throws SQLException;

    private static List<String> names(int tables) {
        return IntStream.range(0, tables).mapToObj(number -> "T" + number).toList();
    }

    /** A database whose tables have given ids. */
    private String used(String name, int tables) throws SQLException {
        String url = url(name);
        List<Object> settings = new ArrayList<>(List.of("block.min", 1, "block.max", 1));
        names(tables).forEach(each -> settings.addAll(List.of("seq." + each + ".ticket.table", each)));
        try (DistributedIds ids = GivenIds.tickets(url, settings.toArray())) {
            names(tables).forEach(ids::next);
        }
        return url;
    }

    private static CountedTrips server(String url, String more) {
        return new CountedTrips(url + "&allowMultiQueries=true" + more);
    }

    private static TicketSession session(Connection connection) throws SQLException {
        return new TicketSession(connection, "server", Optional.empty(), true);
    }

    private static TicketTable table(String name) {
        return new TicketTable(name, TicketStyle.REPLACE, 64);
    }

    private static Map<TicketTable, Draw> draws(TicketSession session, int tables) throws SQLException {
        Map<TicketTable, Draw> draws = new LinkedHashMap<>();
        for (String name : names(tables)) {
            TicketCounter counter = session.open(table(name));
            String key = counter.record().key(counter.storedName());
            Fence fence = new Fence(counter.record().table(), key, 1);
            long last = Math.max(0, counter.last().orElseThrow());
            draws.put(
                    table(name),
                    new Draw(3 + draws.size() % 4, last, Long.MAX_VALUE, Optional.of(fence), Optional.empty()));
        }
        return draws;
    }

    private void reserve(TicketSession session, Map<TicketTable, Draw> draws) throws SQLException {
        drawn.clear();
        locked.clear();
        session.reserve(draws, (table, block) -> drawn.put(table.name(), block), table -> locked.add(table.name()));
    }

    /** Draws together after the change, and expects blocks of all tables but one. */
    private void reserveWithoutOdd(String url, String more, String... change) throws SQLException {
        try (Connection connection = server(url, more).getConnection()) {
            TicketSession session = session(connection);
            Map<TicketTable, Draw> draws = draws(session, TABLES);
            DatabaseRows.execute(url, change);
            reserve(session, draws);
            assertThat(drawn.keySet()).isEqualTo(OTHERS);
            assertThat(connection.getAutoCommit()).isTrue();
        }
        assertRowsHoldTheBlocks(url);
    }

    private void assertRowsHoldTheBlocks(String url) throws SQLException {
        for (Map.Entry<String, Block> each : drawn.entrySet()) {
            assertThat(DatabaseRows.number(url, "SELECT id FROM " + each.getKey()))
                    .isEqualTo(each.getValue().last());
        }
    }

    @Test
    void aDrawFromManyTablesTakesThreeTrips() throws SQLException {
        String url = used("batch_trips", 30);
        CountedTrips server = server(url, "");
        try (Connection connection = server.getConnection()) {
            TicketSession session = session(connection);
            for (int tables : List.of(2, 30)) {
                Map<TicketTable, Draw> draws = draws(session, tables);
                server.take();
                reserve(session, draws);
                assertThat(server.take()).hasSize(3);
                assertThat(drawn).hasSize(tables);
                draws.forEach((table, draw) -> {
                    Block block = drawn.get(table.name());
                    assertThat(block.count()).isEqualTo(draw.wanted());
                    assertThat(block.first()).isGreaterThan(draw.lastKnown());
                });
                assertRowsHoldTheBlocks(url);
            }
        }
    }

    @Test
    void newTablesTakeOneMoreTrip() throws SQLException {
        String url = used("batch_new", TABLES);
        names(TABLES).forEach(each -> renew(url, each));
        CountedTrips server = server(url, "");
        try (Connection connection = server.getConnection()) {
            TicketSession session = session(connection);
            Map<TicketTable, Draw> draws = draws(session, TABLES);
            server.take();
            reserve(session, draws);
            assertThat(server.take()).hasSize(4);
            assertThat(drawn.keySet()).isEqualTo(new TreeSet<>(names(TABLES)));
        }
        assertRowsHoldTheBlocks(url);
    }

    /** As if the table had not given any id yet. */
    private static void renew(String url, String table) {
        execute(url, "TRUNCATE TABLE " + table);
        execute(url, "UPDATE distributedid_record SET last_id = 0 WHERE counter = '" + table + "/a' AND server > 0");
    }

    private static void execute(String url, String sql) {
        try {
            DatabaseRows.execute(url, sql);
        } catch (SQLException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void aLockedRowIsNotWaitedFor() throws SQLException {
        String url = used("batch_locked", TABLES);
        for (String hold : List.of(
                "SELECT id FROM " + ODD + " FOR UPDATE",
                "SELECT 1 FROM distributedid_record WHERE counter = '" + ODD + "/a' AND server = 0 FOR UPDATE")) {
            try (Connection holder = DriverManager.getConnection(url);
                    Statement statement = holder.createStatement()) {
                holder.setAutoCommit(false);
                statement.execute(hold);
                reserveWithoutOdd(url, "");
                assertThat(locked).containsExactly(ODD);
                holder.rollback();
            }
        }
    }

    @Test
    void anOldGenerationGetsNothing() throws SQLException {
        reserveWithoutOdd(
                used("batch_fenced", TABLES),
                "",
                "UPDATE distributedid_record SET generation = 2 WHERE counter = '" + ODD + "/a' AND server = 0");
        assertThat(locked).isEmpty();
    }

    @Test
    void aMissingRecordIsNotTakenForALockedOne() throws SQLException {
        reserveWithoutOdd(
                used("batch_unrecorded", TABLES),
                "",
                "DELETE FROM distributedid_record WHERE counter = '" + ODD + "/a'");
        assertThat(locked).isEmpty();
    }

    @Test
    void aMissingTableGetsNothing() throws SQLException {
        reserveWithoutOdd(used("batch_dropped", TABLES), "", "DROP TABLE " + ODD);
        assertThat(locked).isEmpty();
    }

    @Test
    void aLostRowIsNotTakenForALockedOne() throws SQLException {
        reserveWithoutOdd(used("batch_lost", TABLES), "", "TRUNCATE TABLE " + ODD);
        assertThat(locked).isEmpty();
    }

    @Test
    void aLostRowIsNotTakenForANewTableByAProcessThatHadNone() throws SQLException {
        String url = used("batch_unknown", TABLES);
        execute(url, "TRUNCATE TABLE " + ODD);
        reserveWithoutOdd(url, "");
        assertThat(locked).isEmpty();
    }

    @Test
    void theFirstIdsOfATableAreRecordedWithThem() throws SQLException {
        String url = used("batch_recorded", TABLES);
        names(TABLES).forEach(each -> renew(url, each));
        try (Connection connection = server(url, "").getConnection()) {
            TicketSession session = session(connection);
            Map<TicketTable, Draw> draws = draws(session, TABLES);
            reserve(session, draws);
            assertThat(drawn).hasSize(TABLES);
            names(TABLES).forEach(each -> execute(url, "TRUNCATE TABLE " + each));
            reserve(session, draws);
            assertThat(drawn).isEmpty();
            assertThat(locked).isEmpty();
        }
    }

    @Test
    void aTableOfAnotherEngineGetsNothing() throws SQLException {
        reserveWithoutOdd(used("batch_engine", TABLES), "", "ALTER TABLE " + ODD + " ENGINE=MyISAM");
        assertThat(locked).isEmpty();
    }

    @Test
    void aTableAtItsEndGetsNothing() throws SQLException {
        String url = used("batch_end", TABLES);
        reserveWithoutOdd(url, "", "REPLACE INTO " + ODD + " (stub, id) VALUES ('a', 9223372036854775805)");
        assertThat(DatabaseRows.number(url, "SELECT id FROM " + ODD)).isEqualTo(9_223_372_036_854_775_805L);
    }

    @Test
    void aTableThatRefusesItsIdsIsLeftOut() throws SQLException {
        reserveWithoutOdd(
                used("batch_narrow", TABLES),
                "",
                "ALTER TABLE " + ODD + " MODIFY id TINYINT UNSIGNED NOT NULL AUTO_INCREMENT",
                "REPLACE INTO " + ODD + " (stub, id) VALUES ('a', 254)");
        assertThat(locked).isEmpty();
    }

    @Test
    void aWaitThatTheServerEndsIsThatOfOneTable() throws SQLException {
        String url = used("batch_waits", TABLES);
        renew(url, ODD);
        try (Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            holder.setAutoCommit(false);
            statement.execute("REPLACE INTO " + ODD + " (stub) VALUES ('a')");
            reserveWithoutOdd(url, "&sessionVariables=innodb_lock_wait_timeout=1");
            assertThat(locked).containsExactly(ODD);
            holder.rollback();
        }
    }

    @Test
    void aDeadlockIsThatOfOneTable() throws Exception {
        String url = used("batch_deadlock", TABLES);
        renew(url, ODD);
        ExecutorService drawing = Executors.newSingleThreadExecutor();
        try (Connection holder = DriverManager.getConnection(url);
                Statement statement = holder.createStatement()) {
            statement.execute("CREATE TABLE heavy (id INT PRIMARY KEY)");
            holder.setAutoCommit(false);
            for (int row = 0; row < 100; row++) {
                // The server ends the transaction that has written less.
                statement.execute("INSERT INTO heavy VALUES (" + row + ")");
            }
            statement.execute("REPLACE INTO " + ODD + " (stub) VALUES ('a')");
            Future<?> draw = drawing.submit(() -> {
                try (Connection connection = server(url, "").getConnection()) {
                    TicketSession session = session(connection);
                    reserve(session, draws(session, TABLES));
                }
                return null;
            });
            // MySQL shows the same picture to whoever asks more often than every 100 ms.
            Await.every(
                    Duration.ofMillis(150),
                    Await.PATIENCE,
                    "the draw waits for the new row",
                    () -> draw.isDone()
                            || !DatabaseRows.rows(
                                            url,
                                            "SELECT trx_id FROM information_schema.INNODB_TRX"
                                                    + " WHERE trx_state = 'LOCK WAIT'")
                                    .isEmpty(),
                    draw::isDone);
            assertThat(draw.isDone()).isFalse();
            // The draw holds this row: one of both must give way.
            statement.execute("SELECT id FROM T0 WHERE stub = 'a' FOR UPDATE");
            draw.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            holder.rollback();
        } finally {
            drawing.shutdownNow();
        }
        assertThat(drawn.keySet()).containsExactlyInAnyOrder("T1", "T2", "T4", "T5", "T6", "T7");
        assertThat(locked).containsExactly("T0");
        assertRowsHoldTheBlocks(url);
    }

    @Test
    void sessionsThatDrawAtOnceGetEachNumberOnce() throws Exception {
        String url = used("batch_at_once", TABLES);
        Set<String> given = ConcurrentHashMap.newKeySet();
        List<Integer> counts = Together.run(3, thread -> {
            int count = 0;
            try (Connection connection = server(url, "").getConnection()) {
                TicketSession session = session(connection);
                Map<TicketTable, Draw> draws = draws(session, TABLES);
                for (int batch = 0; batch < 40; batch++) {
                    List<String> numbers = new ArrayList<>();
                    session.reserve(
                            draws,
                            (table, block) -> {
                                for (long id = block.first(); id <= block.last(); id += block.step()) {
                                    numbers.add(table.name() + " " + id);
                                }
                            },
                            table -> {});
                    given.addAll(numbers);
                    count += numbers.size();
                }
            }
            return count;
        });
        int count = counts.stream().mapToInt(Integer::intValue).sum();
        assertThat(count).isGreaterThan(40 * TABLES);
        assertThat(given).hasSize(count);
    }
}
