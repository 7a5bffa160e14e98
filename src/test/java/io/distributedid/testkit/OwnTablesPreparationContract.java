package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A start prepares many sequences together, each with a ticket table of its own on two servers: few trips, and the
 * state that one by one has. The simulation shows starts at once, and ones that are cut off.
 */
public abstract class OwnTablesPreparationContract {

    private static final int FEW = 5;

    private static final int MANY = 150;

    /** All but the tokens and the servers' identities, which are random. */
    private static final String ROWS =
            "SELECT name, number, state FROM distributedid WHERE name NOT LIKE '%@%' ORDER BY name";

    private static final String HEADERS =
            "SELECT LOWER(name), SUBSTRING(text, 1, 42) FROM distributedid WHERE state = 'OPEN' AND name NOT LIKE '%/%'"
                    + " ORDER BY LOWER(name)";

    /** Something is wrong with its table. */
    private static final String ODD = "s1008";

    /**
     * The URLs of two empty databases, best on two servers, that run several statements in one trip. Called several
     * times, with the same result.
     */
    protected abstract List<String> urls(String name) throws SQLException;

    /** How many tables are many. */
    protected int many() {
        return MANY;
    }

    /** Whether the tables share trips. Otherwise their number makes no difference, and few are tested. */
    protected boolean sharesTrips() {
        return true;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "s" + (1000 + i)).toList();
    }

    private static String table(String name) {
        return "T_" + name;
    }

    private static DistributedIds open(List<?> servers, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", "ticket");
        settings.put("distributedid.ticket.servers", servers);
        settings.put("distributedid.ticket.numbering", "client");
        settings.put("distributedid.create_tables", true);
        // A machine may be busy.
        settings.put("distributedid.timeout", "30s");
        settings.put("distributedid.block.min", 10);
        settings.put("distributedid.block.max", 10);
        names(MANY).forEach(name -> settings.put("distributedid.seq." + name + ".ticket.table", table(name)));
        for (int i = 0; i < more.length; i += 2) {
            settings.put("distributedid." + more[i], more[i + 1]);
        }
        return DistributedIds.builder()
                .settings(settings)
                .tokensComparedByCaller()
                .build();
    }

    private List<CountedTrips> counted(String name) throws SQLException {
        return urls(name).stream().map(CountedTrips::new).toList();
    }

    private static List<Integer> take(List<CountedTrips> servers) {
        return servers.stream().map(each -> each.take().size()).toList();
    }

    private static void assertNoTrip(List<CountedTrips> servers) {
        assertThat(servers).allSatisfy(each -> assertThat(each.take()).isEmpty());
    }

    private static Map<String, List<Long>> existing(int count, long largest) {
        Map<String, List<Long>> existing = new HashMap<>();
        names(count).forEach(name -> existing.put(name, List.of(largest - 1, largest)));
        return existing;
    }

    /** The trips of some work, for a few tables and for many. */
    @FunctionalInterface
    private interface Trips {

        List<?> of(String database, int tables) throws SQLException;
    }

    private void assertTripsDoNotGrow(String what, String database, Trips trips) throws SQLException {
        List<?> few = trips.of(database + "_few", FEW);
        if (!sharesTrips()) {
            return;
        }
        List<?> many = trips.of(database + "_many", many());
        System.out.println(getClass().getSimpleName() + ": trips to each server " + what + ": " + many);
        assertThat(many).isEqualTo(few);
    }

    @Test
    void theTripsOfAStartDoNotGrowWithTheTables() throws SQLException {
        assertTripsDoNotGrow("of a first start, a second start and a comparison", "starts", (database, tables) -> {
            List<CountedTrips> servers = counted(database);
            List<List<Integer>> trips = new ArrayList<>();
            for (int start = 0; start < 2; start++) {
                try (DistributedIds ids = open(servers)) {
                    ids.admin().prepare(names(tables));
                    trips.add(take(servers));
                    names(tables).forEach(ids::sequence);
                    assertNoTrip(servers);
                    if (start == 1) {
                        ids.admin().prepareAbove(existing(tables, 2));
                        trips.add(take(servers));
                    }
                    ids.next("s1000");
                }
                take(servers);
            }
            return trips;
        });
    }

    @Test
    void theTripsOfARaiseDoNotGrowWithTheTables() throws SQLException {
        assertTripsDoNotGrow("of a raise", "raises", (database, tables) -> {
            List<CountedTrips> servers = counted(database);
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(tables));
                names(tables).forEach(ids::sequence);
                take(servers);
                ids.admin().prepareRaiseAbove(existing(tables, 500));
                List<Integer> trips = take(servers);
                names(tables).forEach(name -> ids.admin().raise(name, 500));
                assertNoTrip(servers);
                assertThat(ids.next("s1003")).isBetween(501L, 700L);
                return trips;
            }
        });
    }

    /** Tables that others have used until now: no record knows them, and each has another id. */
    @Test
    void theTripsOfACutOverDoNotGrowWithTheTables() throws SQLException {
        assertTripsDoNotGrow("of a cut-over", "cut_over", (database, tables) -> {
            used(database, tables);
            List<CountedTrips> servers = counted(database);
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(tables));
                List<Integer> trips = take(servers);
                names(tables).forEach(ids::sequence);
                assertNoTrip(servers);
                assertThat(ids.next("s1003")).isBetween(3_003L, 3_200L);
                return trips;
            }
        });
    }

    /** Tables with ids and without a ledger. */
    private void used(String database, int tables) throws SQLException {
        List<String> urls = urls(database);
        try (DistributedIds ids = open(urls)) {
            ids.admin().prepare(names(tables));
            for (int i = 0; i < tables; i++) {
                String name = "s" + (1000 + i);
                ids.admin().raise(name, 1_001L * i);
            }
        }
        for (String url : urls) {
            DatabaseRows.execute(url, "DROP TABLE distributedid");
        }
    }

    private static List<String> ids(String url, int tables) throws SQLException {
        List<String> rows = new ArrayList<>();
        for (String name : names(tables)) {
            rows.addAll(DatabaseRows.rows(url, "SELECT '" + name + "', id FROM " + table(name)));
        }
        return rows;
    }

    private static void assertSameState(List<String> together, List<String> alone, int tables) throws SQLException {
        for (int server = 0; server < 2; server++) {
            assertThat(ids(together.get(server), tables)).isEqualTo(ids(alone.get(server), tables));
            assertThat(DatabaseRows.rows(together.get(server), ROWS))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), ROWS))
                    .hasSize(2 * tables);
        }
    }

    @Test
    void theStateIsThatOfTablesOpenedOneByOne() throws SQLException {
        List<String> together = urls("together");
        List<String> alone = urls("alone");
        for (int start = 0; start < 2; start++) {
            try (DistributedIds prepared = open(together);
                    DistributedIds other = open(alone)) {
                prepared.admin().prepare(names(10));
                names(10).forEach(prepared::sequence);
                names(10).forEach(other::sequence);
            }
        }
        assertSameState(together, alone, 10);
    }

    @Test
    void aCutOverAndARaiseLeaveTheStateOfOneByOne() throws SQLException {
        List<String> together = urls("raised_together");
        List<String> alone = urls("raised_alone");
        used("raised_together", 10);
        used("raised_alone", 10);
        try (DistributedIds prepared = open(together);
                DistributedIds other = open(alone)) {
            prepared.admin().prepare(names(10));
            names(10).forEach(prepared::sequence);
            names(10).forEach(other::sequence);
            prepared.admin().prepareRaiseAbove(existing(10, 5_000));
            names(10).forEach(name -> other.admin().raise(name, 5_000));
        }
        assertSameState(together, alone, 10);
        assertThat(ids(together.get(0), 10)).contains("s1000 4991", "s1009 9001");
    }

    /** Another process claims one of the tables between the look and the INSERT. */
    @Test
    void aTableThatIsClaimedMeanwhileHasOneToken() throws SQLException {
        List<CountedTrips> servers = counted("meanwhile");
        try (DistributedIds other = open(urls("meanwhile"));
                DistributedIds ids = open(servers)) {
            AtomicBoolean done = new AtomicBoolean();
            servers.get(0).before(sql -> {
                if (sql.contains("INTO ") && sql.contains("distributedid") && !done.getAndSet(true)) {
                    other.sequence("s1007");
                }
            });
            ids.admin().prepare(names(10));
            assertThat(done).isTrue();
            take(servers);
            names(10).forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(ids.next("s1007")).isNotEqualTo(other.next("s1007"));
        }
        assertThat(DatabaseRows.rows(urls("meanwhile").get(0), HEADERS))
                .isEqualTo(DatabaseRows.rows(urls("meanwhile").get(1), HEADERS))
                .hasSize(10);
    }

    /** Another process draws from one of the tables between the look and the transaction. */
    @Test
    void aTableThatIsDrawnFromMeanwhileIsNotLowered() throws SQLException {
        List<CountedTrips> servers = counted("drawn_meanwhile");
        String url = urls("drawn_meanwhile").get(0);
        String last = "SELECT id FROM " + table("s1007");
        AtomicLong drawn = new AtomicLong();
        try (DistributedIds other = open(urls("drawn_meanwhile"));
                DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            names(10).forEach(ids::sequence);
            servers.get(0).before(sql -> {
                if (sql.contains("FOR UPDATE") && drawn.get() == 0) {
                    for (int i = 0; i < 900; i++) {
                        other.next("s1007");
                    }
                    drawn.set(DatabaseRows.number(url, last));
                }
            });
            ids.admin().prepareRaiseAbove(existing(10, 500));
        }
        assertThat(drawn.get()).isGreaterThan(600);
        assertThat(DatabaseRows.number(url, last)).isGreaterThanOrEqualTo(drawn.get());
    }

    @Test
    void aServerThatIsDownIsAskedOnceAndLeftOut() throws SQLException {
        List<CountedTrips> servers = counted("down");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
        }
        take(servers);
        servers.get(1).stop();
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            take(servers);
            names(10).forEach(ids::sequence);
            assertNoTrip(servers);
            names(10).forEach(ids::next);
        }
    }

    /** One is refused as it is alone, and the others are prepared. */
    private static void assertRefusedAlone(List<CountedTrips> servers, String reason, Object... more) {
        String refusal;
        try (DistributedIds ids = open(servers, more)) {
            refusal = refusal(ids);
        }
        try (DistributedIds ids = open(servers, more)) {
            ids.admin().prepare(names(10));
            take(servers);
            others(10).forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(refusal(ids)).isEqualTo(refusal).contains(reason);
            others(10).forEach(ids::next);
        }
    }

    private static Collection<String> others(int count) {
        return names(count).stream().filter(name -> !name.equals(ODD)).toList();
    }

    private static String refusal(DistributedIds ids) {
        try {
            ids.sequence(ODD);
        } catch (IdConfigurationException e) {
            return e.getMessage();
        }
        throw new AssertionError("The sequence was not refused: " + ODD);
    }

    @Test
    void aMissingTableIsNoMatterOfTheOthers() throws SQLException {
        List<CountedTrips> servers = prepared("missing", name -> List.of("DROP TABLE " + name));
        assertRefusedAlone(
                servers, "The ticket table is missing: table=" + table(ODD) + " on ", "create_tables", false);
    }

    /** Tables that have given ids. The odd one is changed on both servers. */
    protected final List<CountedTrips> prepared(String database, Function<String, List<String>> change)
            throws SQLException {
        List<CountedTrips> servers = counted(database);
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            names(10).forEach(ids::next);
        }
        for (String url : urls(database)) {
            DatabaseRows.execute(url, change.apply(table(ODD)).toArray(String[]::new));
        }
        return servers;
    }

    /** The odd table is used as it was changed, and no id is given twice. */
    protected final void assertUsed(List<CountedTrips> servers, Object... more) {
        GivenIds given = new GivenIds();
        for (int start = 0; start < 2; start++) {
            try (DistributedIds ids = open(servers, more)) {
                ids.admin().prepare(names(10));
                take(servers);
                others(10).forEach(ids::sequence);
                assertNoTrip(servers);
                for (int i = 0; i < 60; i++) {
                    given.add(ids.next(ODD));
                }
            }
        }
        given.assertNoneTwice();
    }

    /** As {@link #assertUsed}, for one that is refused. */
    protected final void assertRefused(List<CountedTrips> servers, String reason, Object... more) {
        assertRefusedAlone(servers, reason, more);
    }

    /** The trips of a start with tables that are in use, to the first server. */
    protected final int tripsOfASecondStart(List<String> urls, int tables) throws SQLException {
        int trips = 0;
        for (int start = 0; start < 2; start++) {
            List<CountedTrips> servers = urls.stream().map(CountedTrips::new).toList();
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(tables));
                trips = take(servers).get(0);
                names(tables).forEach(ids::sequence);
                assertNoTrip(servers);
            }
        }
        return trips;
    }

    /** The setting of the odd sequence, in full. */
    protected static String odd(String setting) {
        return "seq." + ODD + "." + setting;
    }
}
