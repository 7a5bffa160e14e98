package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * A start prepares many sequences of a divided sequence table together: few trips, and the state that one by one has.
 * The simulation shows starts at once, and ones that are cut off.
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

    private static DistributedIds open(List<?> servers) {
        return openBackend("sequence_table", servers);
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

    /** As a repair leaves a counter whose ids were lost. */
    private static String close(String sequence) {
        return "UPDATE distributedid SET version = '9-c105ed', state = 'CLOSED', text = CONCAT(text, ' command=51c0')"
                + " WHERE name = 'sequence/" + sequence + "'";
    }

    @Test
    void oneThatIsRefusedDoesNotHoldUpTheOthers() throws SQLException {
        List<CountedTrips> servers = counted("refused");
        String refusal;
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(20));
            names(20).forEach(ids::next);
        }
        for (String url : urls("refused")) {
            DatabaseRows.execute(url, close("s1010"));
        }
        try (DistributedIds ids = open(servers)) {
            refusal = refusal(ids, "s1010");
        }
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(20));
            take(servers);
            List<String> others =
                    names(20).stream().filter(name -> !name.equals("s1010")).toList();
            others.forEach(ids::sequence);
            assertNoTrip(servers);
            assertThat(refusal(ids, "s1010"))
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
            ids.admin().prepare(names(20));
        }
        take(servers);
        servers.get(1).stop();
        try (DistributedIds ids = open(servers)) {
            ids.admin().prepare(names(20));
            take(servers);
            names(20).forEach(ids::sequence);
            assertNoTrip(servers);
            names(20).forEach(ids::next);
        }
    }
}
