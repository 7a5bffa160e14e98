package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdSource;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A start prepares many sequences together, each with a ticket table of its own on two servers: few trips, and the
 * state that one by one has.
 */
public abstract class OwnTablesPreparationContract {

    private static final int FEW = 5;

    private static final int MANY = 150;

    /** All but the tokens and the servers' identities, which are random. */
    private static final String ROWS =
            "SELECT name, number, state FROM distributedid WHERE name NOT LIKE '%@%' ORDER BY name";

    private static final String STATES = "SELECT name, state FROM distributedid ORDER BY name";

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

    @Test
    void startsAtOnceEndInOneStateAndGiveNoIdTwice() throws Exception {
        List<String> servers = urls("race");
        List<String> alone = urls("race_alone");
        try (DistributedIds other = open(alone)) {
            names(20).forEach(other::sequence);
        }
        Set<String> given = ConcurrentHashMap.newKeySet();
        Set<String> twice = ConcurrentHashMap.newKeySet();
        Together.run(3, number -> {
            try (DistributedIds ids = open(servers, "block.timeout", "1m")) {
                ids.admin().prepare(names(20));
                for (String name : names(20)) {
                    IdSource source = ids.sequence(name);
                    for (int i = 0; i < 3; i++) {
                        String id = name + " " + source.next();
                        if (!given.add(id)) {
                            twice.add(id);
                        }
                    }
                }
            }
            return true;
        });
        assertThat(twice).isEmpty();
        assertThat(given).hasSize(180);
        for (int server = 0; server < 2; server++) {
            assertThat(DatabaseRows.rows(servers.get(server), STATES))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), STATES));
        }
    }

    /** The process stops before a trip, on either server. The next start goes on from there. */
    @Test
    void aStartThatIsCutOffAnywhereGivesNoIdTwice() throws SQLException {
        for (int place = 0; place < 2; place++) {
            int trips = 0;
            while (cutOff("cut" + place + "_" + trips, place, trips)) {
                trips++;
            }
            assertThat(trips).isGreaterThan(5);
        }
    }

    /** Returns whether the start needed more trips. */
    private boolean cutOff(String database, int place, int trips) throws SQLException {
        List<CountedTrips> servers = counted(database);
        AtomicInteger made = new AtomicInteger();
        servers.get(place).before(trip -> {
            if (made.getAndIncrement() >= trips) {
                throw new SQLNonTransientConnectionException("The process is stopped", "08006");
            }
        });
        try (DistributedIds stopped = open(servers)) {
            stopped.admin().prepare(names(3));
        }
        servers.get(place).before(trip -> {});
        GivenIds given = new GivenIds();
        for (int start = 0; start < 2; start++) {
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(3));
                names(3).forEach(ids::sequence);
                for (int i = 0; i < 40; i++) {
                    given.add(ids.next("s1001"));
                }
            }
        }
        given.assertNoneTwice();
        for (String url : urls(database)) {
            assertThat(DatabaseRows.rows(url, HEADERS)).hasSize(3);
        }
        return made.get() > trips;
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

    /** Another process raises one of the tables between the look and the transaction. */
    @Test
    void aTableThatIsRaisedMeanwhileKeepsItsFloor() throws SQLException {
        List<CountedTrips> servers = counted("raised_meanwhile");
        try (DistributedIds other = open(urls("raised_meanwhile"));
                DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            names(10).forEach(ids::sequence);
            AtomicBoolean done = new AtomicBoolean();
            servers.get(0).before(sql -> {
                if (sql.contains("FOR UPDATE") && !done.getAndSet(true)) {
                    other.admin().raise("s1007", 900);
                }
            });
            ids.admin().prepareRaiseAbove(existing(10, 500));
            assertThat(done).isTrue();
            names(10).forEach(name -> ids.admin().raise(name, 500));
            assertThat(ids.next("s1007")).isGreaterThan(900);
        }
        for (String url : urls("raised_meanwhile")) {
            assertThat(DatabaseRows.number(url, "SELECT number FROM distributedid WHERE LOWER(name) = 't_s1007/'"))
                    .isGreaterThanOrEqualTo(900);
        }
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
    void aPreparedTableIsFenced() throws SQLException {
        List<String> servers = urls("fenced");
        try (DistributedIds other = open(servers);
                DistributedIds ids = open(servers)) {
            names(5).forEach(other::sequence);
            ids.admin().prepare(names(5));
            other.admin().raise("s1002", 500);
            assertThat(ids.next("s1001")).isLessThan(500);
            assertThat(ids.next("s1002")).isGreaterThan(500);
        }
    }

    @Test
    void aTableThatWentBackIsRaisedAndTheOthersArePrepared() throws SQLException {
        List<CountedTrips> servers = counted("back");
        GivenIds given = new GivenIds();
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            for (int i = 0; i < 400; i++) {
                given.add(ids.next(ODD));
            }
        }
        DatabaseRows.execute(urls("back").get(1), "TRUNCATE TABLE " + table(ODD));
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(10));
            take(servers);
            others(10).forEach(ids::sequence);
            assertNoTrip(servers);
            for (int i = 0; i < 400; i++) {
                given.add(ids.next(ODD));
            }
        }
        given.assertNoneTwice();
    }

    @Test
    void noTableIsRaisedUnlessAllServersAnswer() throws SQLException {
        List<CountedTrips> servers = counted("raised_half");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(5));
            names(5).forEach(ids::sequence);
            List<String> before = ids(urls("raised_half").get(0), 5);
            servers.get(1).stop();
            servers.get(1).before(trip -> {
                throw new SQLNonTransientConnectionException("The server is down", "08S01");
            });
            ids.admin().prepareRaiseAbove(existing(5, 500));
            assertThatThrownBy(() -> ids.admin().raise("s1000", 500)).hasMessageContaining("All servers must answer");
            assertThat(ids(urls("raised_half").get(0), 5)).isEqualTo(before);
        }
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
