package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.spi.IdSource;
import java.sql.SQLException;
import java.sql.SQLNonTransientConnectionException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A start prepares many sequences of a divided sequence table together: few trips, and the state that one by one has.
 */
public abstract class PreparationContract {

    private static final int MANY = 150;

    private static final String COUNTERS = "SELECT name, id FROM sequence ORDER BY name";

    /** All but what is random: tokens, versions, identities, and notes of new counters, which are below 0. */
    private static final String LEDGER =
            "SELECT name, CASE WHEN number < 0 THEN -1 ELSE number END AS number, state FROM distributedid ORDER BY name";

    /** The URLs of two empty databases, best on two servers. Called several times, with the same result. */
    protected abstract List<String> urls(String name) throws SQLException;

    /** Whether the servers can hold tickets, too. */
    protected boolean hasTickets() {
        return true;
    }

    private static List<String> names(int count) {
        return IntStream.range(0, count).mapToObj(i -> "s" + (1000 + i)).toList();
    }

    private static DistributedIds open(List<?> servers, Object... more) {
        return openBackend("sequence_table", servers, more);
    }

    private static DistributedIds openBackend(String backend, List<?> servers, Object... more) {
        Map<String, Object> settings = new HashMap<>();
        settings.put("distributedid.backend", backend);
        settings.put("distributedid." + backend + ".servers", servers);
        settings.put("distributedid.create_tables", true);
        // A machine may be busy.
        settings.put("distributedid.timeout", "30s");
        settings.put("distributedid.block.min", 10);
        settings.put("distributedid.block.max", 10);
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

    /** Returns the trips to each server of the first start, the second one, and its comparison with existing ids. */
    private List<List<Integer>> starts(String database, int count) throws SQLException {
        List<CountedTrips> servers = counted(database);
        List<List<Integer>> trips = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(count));
                trips.add(take(servers));
                names(count).forEach(ids::sequence);
                assertNoTrip(servers);
                if (start == 1) {
                    trips.add(compare(ids, count, servers));
                    ids.next("s1000");
                    ids.next("s1000");
                }
            }
            take(servers);
        }
        return trips;
    }

    private static List<Integer> compare(DistributedIds ids, int count, List<CountedTrips> servers)
            throws SQLException {
        Map<String, List<Long>> existing = new HashMap<>();
        names(count).forEach(name -> existing.put(name, List.of(0L)));
        ids.admin().prepareAbove(existing);
        List<Integer> trips = take(servers);
        for (String name : names(count)) {
            ids.admin().requireAbove(name, (step, distance) -> List.of(0L));
        }
        assertNoTrip(servers);
        return trips;
    }

    @Test
    void theTripsOfAStartDoNotGrowWithTheSequences() throws SQLException {
        List<List<Integer>> few = starts("few", 5);
        List<List<Integer>> many = starts("many", MANY);
        System.out.println(getClass().getSimpleName() + ": trips to each server of a first start, a second start and a"
                + " comparison: " + many);
        assertThat(many).isEqualTo(few);
        assertThat(many.get(1)).allSatisfy(trips -> assertThat(trips).isLessThan(40));
    }

    /** None on a product that has no tickets. */
    @TestFactory
    Stream<DynamicTest> sequencesThatShareATicketTable() {
        return hasTickets()
                ? Stream.of(DynamicTest.dynamicTest("take the trips of one", this::takeTheTripsOfOne))
                : Stream.empty();
    }

    private void takeTheTripsOfOne() throws SQLException {
        List<List<Integer>> trips = new ArrayList<>();
        for (int count : List.of(5, MANY)) {
            List<CountedTrips> servers = counted("tickets" + count);
            for (int start = 0; start < 2; start++) {
                try (DistributedIds ids = openBackend("ticket", servers, "ticket.numbering", "client")) {
                    ids.admin().prepare(names(count));
                    trips.add(take(servers));
                    names(count).forEach(ids::sequence);
                    assertNoTrip(servers);
                    compare(ids, count, servers);
                    ids.next("s1000");
                }
                take(servers);
            }
        }
        assertThat(trips.subList(2, 4)).isEqualTo(trips.subList(0, 2));
    }

    private static Map<String, List<Long>> existing(int count, long largest) {
        Map<String, List<Long>> existing = new HashMap<>();
        names(count).forEach(name -> existing.put(name, List.of(largest - 1, largest)));
        return existing;
    }

    @Test
    void countersAreRaisedTogether() throws SQLException {
        List<List<Integer>> trips = new ArrayList<>();
        for (int count : List.of(5, MANY)) {
            List<CountedTrips> servers = counted("raised" + count);
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(count));
                names(count).forEach(ids::sequence);
                take(servers);
                ids.admin().prepareRaiseAbove(existing(count, 500));
                trips.add(take(servers));
                names(count).forEach(name -> ids.admin().raise(name, 500));
                assertNoTrip(servers);
                assertThat(ids.next("s1000")).isBetween(501L, 502L);
            }
        }
        System.out.println(getClass().getSimpleName() + ": trips to each server of a raise: " + trips.get(1));
        assertThat(trips.get(1)).isEqualTo(trips.get(0));
    }

    @Test
    void aRaiseTogetherLeavesTheStateOfRaisesOneByOne() throws SQLException {
        List<String> together = urls("raised_together");
        List<String> alone = urls("raised_alone");
        try (DistributedIds prepared = open(together);
                DistributedIds other = open(alone)) {
            for (DistributedIds each : List.of(prepared, other)) {
                each.admin().prepare(names(20));
                names(20).forEach(each::sequence);
            }
            prepared.admin().prepareRaiseAbove(existing(20, 500));
            names(20).forEach(name -> other.admin().raise(name, 500));
        }
        for (int server = 0; server < 2; server++) {
            assertThat(DatabaseRows.rows(together.get(server), COUNTERS))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), COUNTERS))
                    .allSatisfy(row -> assertThat(row).matches("s\\d+ (499|500)"));
            assertThat(DatabaseRows.rows(together.get(server), LEDGER))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), LEDGER));
        }
    }

    @Test
    void noCounterIsRaisedUnlessAllServersAnswer() throws SQLException {
        List<CountedTrips> servers = counted("raised_half");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(5));
            names(5).forEach(ids::sequence);
            List<String> before = DatabaseRows.rows(urls("raised_half").get(0), COUNTERS);
            servers.get(1).stop();
            servers.get(1).before(trip -> {
                throw new SQLNonTransientConnectionException("The server is down", "08S01");
            });
            ids.admin().prepareRaiseAbove(existing(5, 500));
            assertThatThrownBy(() -> ids.admin().raise("s1000", 500))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageContaining("All servers must answer");
            assertThat(DatabaseRows.rows(urls("raised_half").get(0), COUNTERS)).isEqualTo(before);
        }
    }

    @Test
    void theStateIsThatOfSequencesOpenedOneByOne() throws SQLException {
        List<String> together = urls("together");
        List<String> alone = urls("alone");
        for (int start = 0; start < 2; start++) {
            try (DistributedIds prepared = open(together);
                    DistributedIds other = open(alone)) {
                prepared.admin().prepare(names(20));
                names(20).forEach(prepared::sequence);
                names(20).forEach(other::sequence);
            }
        }
        for (int server = 0; server < 2; server++) {
            assertThat(DatabaseRows.rows(together.get(server), COUNTERS))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), COUNTERS))
                    .hasSize(20);
            assertThat(DatabaseRows.rows(together.get(server), LEDGER))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), LEDGER));
        }
    }

    @Test
    void startsAtOnceEndInOneStateAndGiveNoIdTwice() throws Exception {
        List<String> servers = urls("race");
        List<String> alone = urls("race_alone");
        try (DistributedIds other = open(alone)) {
            names(40).forEach(other::sequence);
        }
        Set<String> given = ConcurrentHashMap.newKeySet();
        Set<String> twice = ConcurrentHashMap.newKeySet();
        Together.run(3, number -> {
            try (DistributedIds ids = open(servers)) {
                ids.admin().prepare(names(40));
                for (String name : names(40)) {
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
        assertThat(given).hasSize(360);
        String state = "SELECT name, state FROM distributedid ORDER BY name";
        for (int server = 0; server < 2; server++) {
            assertThat(DatabaseRows.rows(servers.get(server), state))
                    .isEqualTo(DatabaseRows.rows(alone.get(server), state));
        }
    }

    /** Another process creates one of the sequences between the look and the INSERT. */
    @Test
    void aSequenceThatAppearsMeanwhileIsNotCreatedTwice() throws SQLException {
        List<CountedTrips> servers = counted("meanwhile");
        try (DistributedIds other = open(servers);
                DistributedIds ids = open(servers)) {
            ids.sequence("claims");
            AtomicBoolean done = new AtomicBoolean();
            servers.get(0).before(sql -> {
                if (sql.matches("(INSERT|MERGE).* INTO .*distributedid .*") && !done.getAndSet(true)) {
                    other.sequence("s1007");
                }
            });
            ids.admin().prepare(names(20));
            assertThat(done).isTrue();
            take(servers);
            names(20).forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(ids.next("s1007")).isNotEqualTo(other.next("s1007"));
        }
    }

    /** The process stops between two statements, each time a later one. */
    @Test
    void aStartThatIsCutOffAnywhereGivesNoIdTwice() throws SQLException {
        List<String> statements =
                List.of("(INSERT|MERGE).* INTO .*distributedid .*", "(INSERT|MERGE).* INTO .*sequence .*", "commit.*");
        for (int place = 0; place < 2; place++) {
            for (String statement : statements) {
                List<CountedTrips> servers = counted("cut" + place + statements.indexOf(statement));
                GivenIds given = new GivenIds();
                try (DistributedIds first = open(servers)) {
                    first.sequence("claims");
                }
                AtomicBoolean isCut = new AtomicBoolean();
                servers.get(place).before(trip -> {
                    if (trip.matches(statement) || isCut.get()) {
                        isCut.set(true);
                        throw new SQLNonTransientConnectionException("The process is stopped", "08006");
                    }
                });
                try (DistributedIds stopped = open(servers)) {
                    stopped.admin().prepare(names(8));
                }
                assertThat(isCut).as(statement).isTrue();
                servers.get(place).before(trip -> {});
                for (int start = 0; start < 2; start++) {
                    try (DistributedIds ids = open(servers)) {
                        ids.admin().prepare(names(8));
                        names(8).forEach(ids::sequence);
                        for (int i = 0; i < 40; i++) {
                            given.add(ids.next("s1007"));
                        }
                    }
                }
                given.assertNoneTwice();
            }
        }
    }

    /** A counter is closed after the preparation: the next draw looks again. */
    @Test
    void aPreparedSequenceIsFenced() throws SQLException {
        List<String> servers = urls("fenced");
        try (DistributedIds other = open(servers);
                DistributedIds ids = open(servers, "block.timeout", "1s")) {
            names(5).forEach(other::sequence);
            ids.admin().prepare(names(5));
            DatabaseRows.execute(servers.get(0), close("s1002"));
            DatabaseRows.execute(servers.get(1), close("s1002"));
            Await.until(
                    "another sequence has ids",
                    () -> refusalOfNext(ids, "s1001").isEmpty());
            Await.until(
                    "the sequence is refused",
                    () -> refusalOfNext(ids, "s1002").contains("An operator's command has closed the counters"),
                    () -> refusalOfNext(ids, "s1002"));
        }
    }

    /** As a repair leaves a counter whose ids were lost. */
    private static String close(String sequence) {
        return "UPDATE distributedid SET version = '9-c105ed', state = 'CLOSED', text = CONCAT(text, ' command=51c0')"
                + " WHERE name = 'sequence/" + sequence + "'";
    }

    /** Empty if there is an id. */
    private static String refusalOfNext(DistributedIds ids, String name) {
        try {
            ids.next(name);
            return "";
        } catch (IdUnavailableException | IdConfigurationException e) {
            return String.valueOf(e.getMessage());
        }
    }

    @Test
    void oneThatIsRefusedDoesNotHoldUpTheOthers() throws SQLException {
        List<CountedTrips> servers = counted("refused");
        String refusal;
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
            names(50).forEach(ids::next);
        }
        for (String url : urls("refused")) {
            DatabaseRows.execute(url, close("s1020"));
        }
        try (DistributedIds ids = open(servers)) {
            refusal = refusal(ids, "s1020");
        }
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
            take(servers);
            List<String> others =
                    names(50).stream().filter(name -> !name.equals("s1020")).toList();
            others.forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(refusal(ids, "s1020"))
                    .isEqualTo(refusal)
                    .contains("An operator's command has closed the counters");
            others.forEach(ids::next);
        }
    }

    private static String refusal(DistributedIds ids, String name) {
        try {
            ids.sequence(name);
        } catch (IdConfigurationException e) {
            return e.getMessage();
        }
        throw new AssertionError("The sequence was not refused: " + name);
    }

    @Test
    void oneThatWentBackIsRaisedAndTheOthersArePrepared() throws SQLException {
        List<CountedTrips> servers = counted("back");
        GivenIds given = new GivenIds();
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
            for (int i = 0; i < 400; i++) {
                given.add(ids.next("s1020"));
            }
        }
        DatabaseRows.execute(urls("back").get(1), "UPDATE sequence SET id = 0 WHERE name = 's1020'");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
            take(servers);
            names(50).stream().filter(name -> !name.equals("s1020")).forEach(ids::sequence);
            assertNoTrip(servers);
            for (int i = 0; i < 400; i++) {
                given.add(ids.next("s1020"));
            }
        }
        given.assertNoneTwice();
    }

    @Test
    void anotherOrderOfServersIsRefusedAsEver() throws SQLException {
        List<String> servers = urls("order");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(5));
        }
        try (DistributedIds ids = open(List.of(servers.get(1), servers.get(0)))) {
            assertThatCode(() -> ids.admin().prepare(names(5))).doesNotThrowAnyException();
            assertThat(refusal(ids, "s1000")).contains("Clients must number the servers alike");
        }
    }

    @Test
    void aWrongNameIsLeftToItsOpening() throws SQLException {
        List<CountedTrips> servers = counted("wrong");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(List.of("1x", "photos", "users"));
            take(servers);
            List.of("photos", "users").forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(refusal(ids, "1x")).startsWith("A sequence's name must be a letter");
        }
    }

    @Test
    void aServerThatIsDownIsAskedOnceAndLeftOut() throws SQLException {
        List<CountedTrips> servers = counted("down");
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
        }
        take(servers);
        servers.get(1).stop();
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(50));
            take(servers);
            names(50).forEach(ids::sequence);
            assertNoTrip(servers);
            names(50).forEach(ids::next);
        }
    }
}
