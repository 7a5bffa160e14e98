package io.distributedid.internal.counter;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.ServerStatistics;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.ledger.Version;
import io.distributedid.internal.process.Pages;
import io.distributedid.spi.Block;
import io.distributedid.testkit.Await;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLTransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the simulation does not show of draws: who is asked, what is counted, and what callers are told. */
@Timeout(120)
class CountersTest {

    private static final long WANTED = 10;

    /** The letter of the server whose remainder the ids have. */
    private static String from(MemoryCounters of, Block block) {
        return of.servers.get((int) ((block.first() - 1) % of.servers.size())).label();
    }

    private static ServerStatistics statistics(MemoryCounters of, String sequence, int place) {
        return of.backend()
                .statistics(of.sequence(sequence))
                .orElseThrow()
                .servers()
                .get(place);
    }

    private static void pass(MemoryCounters of, long millis) {
        of.nanos.addAndGet(Duration.ofMillis(millis).toNanos());
    }

    @Test
    void serversAreAskedInTurn() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");

        assertThat(List.of(photos.reserve(WANTED), photos.reserve(WANTED), photos.reserve(WANTED)))
                .containsExactly(new Block(1, 2, WANTED), new Block(2, 2, WANTED), new Block(21, 2, WANTED));
        assertThat(photos.server()).isEqualTo("a");
        assertThat(statistics(ids, "photos", 0).fetches()).isEqualTo(2);
        assertThat(statistics(ids, "photos", 0).counter()).hasValue(39);
    }

    @ParameterizedTest
    @CsvSource({
        "ticket, ticket.servers, jdbc:h2:mem:many",
        "sequence_table, sequence_table.servers, jdbc:h2:mem:many",
        "redis, redis.servers, redis://many"
    })
    void moreServersThanAHeaderCanNameAreRefused(String backend, String setting, String server) {
        String servers =
                IntStream.rangeClosed(1, 17).mapToObj(each -> server + each).collect(joining(","));
        Map<String, String> settings =
                new HashMap<>(Map.of("distributedid.backend", backend, "distributedid." + setting, servers));
        if (backend.equals("ticket")) {
            settings.putAll(
                    Map.of("distributedid.ticket.numbering", "client", "distributedid.ticket.increment", "100"));
        }
        try (DistributedIds ids = DistributedIds.create(settings)) {
            assertThatThrownBy(() -> ids.next("photos"))
                    .isInstanceOf(IdConfigurationException.class)
                    .hasMessage("A setting has a value that is not allowed: distributedid." + setting
                            + "=17 servers, allowed: 1 to 16. List fewer: any one is enough");
        }
    }

    @Test
    void aHeaderNamesAllServersOfTheLongestList() {
        String random = UUID.randomUUID().toString();
        Header header = new Header(
                Version.first("a"),
                Header.State.CLOSED,
                random,
                new Numbering(1_000, CountingBackend.MOST_SERVERS),
                Collections.nCopies(
                        CountingBackend.MOST_SERVERS, "server_uuid " + random + " schema " + "s".repeat(40)),
                Integer.MAX_VALUE,
                random,
                RealignCommand.place(List.of(new RealignCommand.Member("a", new Numbering(1, 1)))),
                random);

        assertThat(CounterTexts.header(CounterTexts.row("sequence", header))).isEqualTo(header);
    }

    @Test
    void aDrawIsOneTrip() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        ids.server("a").trips();

        photos.reserve(WANTED);

        assertThat(ids.server("a").trips()).containsExactly("draw");
    }

    @Test
    void aServerThatFailsIsReplacedLeftOutAndUsedAgain() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        ids.server("a").fail("a is down");

        for (int i = 0; i < 4; i++) {
            assertThat(from(ids, photos.reserve(WANTED))).isEqualTo("b");
        }
        assertThat(statistics(ids, "photos", 0).failures()).isEqualTo(1);
        assertThat(statistics(ids, "photos", 0).failovers()).isEqualTo(1);
        assertThat(statistics(ids, "photos", 0).failure()).contains("a is down");
        assertThat(statistics(ids, "photos", 1).failure()).isEmpty();

        ids.server("a").heal();
        pass(ids, 500);
        Await.until("a is used again", () -> from(ids, photos.reserve(WANTED)).equals("a"));
    }

    @Test
    void whenAllAreLeftOutCallersTryThem() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        ids.servers.forEach(each -> each.fail(each.label() + " is down"));
        assertThatThrownBy(() -> photos.reserve(WANTED))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("No server gives ids; a said: a is down; b said: b is down" + Pages.onCall("no-server"));
        ids.server("b").heal();
        pass(ids, 10);

        assertThat(from(ids, photos.reserve(WANTED))).isEqualTo("b");
    }

    @Test
    void nobodyStandsInForALoneServer() {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        ids.server("a").fail("a is down");

        assertThatThrownBy(() -> photos.reserve(WANTED))
                .hasMessage("No server gives ids; a said: a is down" + Pages.onCall("no-server"));
        assertThat(statistics(ids, "photos", 0).failures()).isEqualTo(1);
        assertThat(statistics(ids, "photos", 0).failovers()).isZero();
    }

    @Test
    void oneCounterThatIsRefusedLeavesItsNeighboursAlone() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        Counter users = ids.open("users");
        photos.reserve(WANTED);
        MemoryServer server = ids.server("a");
        server.change(
                tables -> tables.with(photos.key(), tables.stored(photos.key()).withCounter(OptionalLong.of(3))));

        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> photos.reserve(WANTED))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("No server gives ids; a said: A counter went back and may give ids again:"
                            + " table=sequence name=photos on a id=3 now, but ids up to 10 may be in use.");
        }
        assertThat(users.reserve(WANTED)).isEqualTo(new Block(1, 1, WANTED));
        assertThat(statistics(ids, "photos", 0).failures()).isEqualTo(2);
        assertThat(statistics(ids, "users", 0).failures()).isZero();
        assertThat(statistics(ids, "users", 0).failure()).as("left out").isEmpty();
    }

    @Test
    void aCounterThatOneServerRefusesLeavesNoTraceOnItsNeighbours() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        ids.open("users");
        ids.server("a")
                .change(tables -> tables.with(
                        photos.key(), tables.stored(photos.key()).withCounter(OptionalLong.of(5_000_000_000_001L))));

        try (LoggedWarnings leftOut = LoggedWarnings.of(ServerPause.class);
                LoggedWarnings refused = LoggedWarnings.of(Alignment.class)) {
            for (int i = 0; i < 4; i++) {
                Map<String, String> answers = ids.reserve(WANTED, "photos", "users");
                assertThat(answers.values()).allMatch(each -> each.matches("\\d+ to \\d+"));
            }
            assertThat(leftOut.messages()).isEmpty();
            assertThat(refused.messages()).singleElement().asString().contains("table=sequence name=photos on a");
        }
        for (int place = 0; place < 2; place++) {
            ServerStatistics users = statistics(ids, "users", place);
            assertThat(users.fetches()).isEqualTo(2);
            assertThat(users.failures()).isZero();
            assertThat(users.failovers()).isZero();
            assertThat(users.failure()).isEmpty();
            assertThat(statistics(ids, "photos", place).failovers()).isZero();
        }
    }

    @Test
    void aLockedCounterIsPostponedAndItsServerStays() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        ids.server("a").lock(photos.key());

        assertThatThrownBy(() -> photos.reserve(WANTED))
                .isInstanceOf(SQLTransientException.class)
                .hasMessage("Another transaction has locked the counter: table=sequence name=photos on a"
                        + Pages.onCall("locked"));
        ids.server("a").unlockAll();
        assertThat(photos.reserve(WANTED).first()).isEqualTo(1);
        assertThat(statistics(ids, "photos", 0).failures()).isZero();
    }

    @Test
    void aCounterAtItsEndIsNoFailureOfItsServer() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2, 30);
        Counter photos = ids.open("photos");
        Counter users = ids.open("users");
        for (int i = 0; i < 4; i++) {
            photos.reserve(WANTED);
        }

        assertThatThrownBy(() -> photos.reserve(WANTED))
                .isInstanceOf(IdsExhaustedException.class)
                .hasMessage(
                        "The counter is at the end of its column: table=sequence name=photos on a. Give the sequence another"
                                + " table, or the column id a wider type" + Pages.onCall("counter-no-room"));
        assertThat(statistics(ids, "photos", 0).failure()).isEmpty();
        assertThat(users.reserve(WANTED).count()).isEqualTo(WANTED);
    }

    @Test
    void manySequencesAreDrawnInOneTripAndEachGetsItsOwnAnswer() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        for (String each : List.of("photos", "users", "likes", "tags")) {
            ids.open(each);
        }
        MemoryServer server = ids.server("a");
        server.lock(key("users"));
        server.change(
                tables -> tables.with(key("likes"), tables.stored(key("likes")).withCounter(OptionalLong.empty())));
        server.trips();

        Map<String, String> answers = ids.reserve(WANTED, "photos", "users", "likes", "tags");

        assertThat(answers)
                .containsEntry("photos", "1 to 10")
                .containsEntry(
                        "users",
                        "postponed: Another transaction has locked the counter: table=sequence name=users on a"
                                + Pages.onCall("locked"))
                .containsEntry("tags", "1 to 10");
        assertThat(answers.get("likes"))
                .startsWith(
                        "No server gives ids; a said: A counter went back and may give ids again: table=sequence name=likes");
        assertThat(server.trips())
                .as("a draw, a look at what was refused, and what is locked again")
                .containsExactly("draw", "look", "draw");
    }

    private static CounterKey key(String sequence) {
        return new CounterKey("sequence", sequence, sequence);
    }

    @Test
    void eachDrawNotesHowFarTheOthersWereSeen() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");

        photos.reserve(WANTED);
        photos.reserve(WANTED);

        assertThat(ids.server("b").tables().stored(photos.key()).notes()).containsEntry(1L, 19L);
    }

    @Test
    void aServerThatLostIdsIsRaisedOnceAndLogged() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        for (int i = 0; i < 4; i++) {
            photos.reserve(WANTED);
        }
        MemoryServer server = ids.server("a");
        server.change(
                tables -> tables.with(photos.key(), tables.stored(photos.key()).withCounter(OptionalLong.of(5))));
        try (LoggedWarnings warnings = LoggedWarnings.of(Alignment.class)) {
            List<Block> after = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                after.add(photos.reserve(WANTED));
            }

            assertThat(after).allMatch(each -> each.first() > 40);
            assertThat(after).anyMatch(each -> each.first() == 2_000_061);
            assertThat(warnings.messages())
                    .containsExactly(
                            "table=sequence name=photos on a went back (truncated, restored from a backup, a deleted row?); it was"
                                    + " raised above 2000060",
                            "table=sequence name=photos on b was more than 1000000 behind the others; it was raised above"
                                    + " 2000060");
        }
        assertThat(statistics(ids, "photos", 0).failure()).as("left out").isEmpty();
        assertThat(statistics(ids, "photos", 0).failures()).isZero();
    }

    @Test
    void aReplicaInAServersPlaceIsRaisedRefusedOrAccepted() throws Exception {
        for (Failover failover : Failover.values()) {
            MemoryCounters ids = MemoryCounters.of(1);
            ids.settings.put(CountingSettings.FAILOVER.name(), failover.name().toLowerCase(Locale.ROOT));
            Counter photos = ids.open("photos");
            photos.reserve(WANTED);
            ids.server("a").change(tables -> tables.withIdentity("replica"));
            ids.server("a").breakConnections();
            assertThatThrownBy(() -> photos.reserve(WANTED)).hasMessageContaining("connection lost");
            pass(ids, 10);
            if (failover == Failover.REFUSE) {
                assertThatThrownBy(() -> photos.reserve(WANTED))
                        .hasMessageContaining("A server was replaced, and may lack the last ids: table=sequence"
                                + " name=photos on a is not the same server as before (a promoted replica, a restored"
                                + " copy?): identity=replica instead of a-uuid, distributedid.failover=refuse. To fix"
                                + " this, stop the clients and run: distributedid repair photos");
            } else {
                assertThat(photos.reserve(WANTED).first()).isEqualTo(failover == Failover.RAISE ? 2_000_011 : 11);
            }
        }
    }

    @Test
    void aBrokenConnectionEndsALookAndWhatFollowsFromIt() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        ids.server("a").breakConnections();
        assertThatThrownBy(() -> photos.reserve(WANTED)).hasMessageContaining("connection lost");
        pass(ids, 10);
        ids.server("a").trips();

        photos.reserve(WANTED);

        assertThat(ids.server("a").trips()).containsExactly("look", "draw");
    }

    @Test
    void sequencesThatShareACounterShareABlock() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1, 15);
        ids.isShared = true;
        ids.open("photos");
        ids.open("users");

        assertThat(ids.reserve(WANTED, "photos", "users").values()).containsExactlyInAnyOrder("1 to 10", "11 to 15");
        assertThat(ids.sources.values().stream()
                        .map(each -> ((Counter) each).memory())
                        .distinct())
                .hasSize(1);
    }

    @Test
    void aLoneCallerPassesAServerThatHangs() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        ids.server("a").hang();
        CompletableFuture<Block> first = CompletableFuture.supplyAsync(() -> reserve(photos));
        Await.until("a is asked", () -> ids.server("a").trips().contains("draw"));
        Await.until(
                "a may hang",
                () -> from(ids, photos.reserve(WANTED)).equals("b")
                        && from(ids, photos.reserve(WANTED)).equals("b"));
        assertThat(statistics(ids, "photos", 0).failure()).as("left out").isEmpty();

        ids.server("a").answer();

        assertThat(from(ids, first.get())).isEqualTo("a");
    }

    private static Block reserve(Counter counter) {
        try {
            return counter.reserve(WANTED);
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void aServerThatOnlyReadsIsNamedWithItsReason() {
        MemoryCounters ids = MemoryCounters.of(1);
        ids.server("a").failWrites("a is read-only");

        assertThatThrownBy(() -> ids.open("photos"))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining("a said: a is read-only");
    }

    @Test
    void aCheckSaysWhetherSomeUsersMayWriteToAReadOnlyServer() {
        MemoryCounters ids = MemoryCounters.of(1);
        ids.open("photos");
        ids.server("a").failWrites("read_only=1");
        assertThat(ids.backend().check(ids.sequence("photos"), 0))
                .contains(CheckResult.unknown(
                        "writable", "a", "Only users who may write to a read-only server get ids: read_only=1"));

        ids.server("a").failWrites("super_read_only=1");
        assertThat(ids.backend().check(ids.sequence("photos"), 0))
                .contains(CheckResult.failed(
                        "writable",
                        "a",
                        "A server of counters must be writable: a says super_read_only=1. If it is a replica, list its"
                                + " source in its place; else make it writable" + Pages.onCall("read-only")));
    }

    /** The first server was read before a draw, which the second one notes already. */
    @Test
    void aCheckTakesNoDrawMeanwhileForALoss() throws Exception {
        assertThat(checkBesideADraw(server -> {})).containsOnly(CheckResult.Status.OK);
    }

    @Test
    void aCheckDoesNotJudgeAServerThatDoesNotAnswerAgain() throws Exception {
        assertThat(checkBesideADraw(server -> server.fail("gone"))).containsOnlyOnce(CheckResult.Status.FAILED);
    }

    private static List<CheckResult.Status> checkBesideADraw(Consumer<MemoryServer> then) throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        photos.reserve(WANTED);
        photos.reserve(WANTED);
        MemoryServer a = ids.server("a");
        MemoryServer b = ids.server("b");
        MemoryCounters operator = ids.other("ab", "sequence");
        b.trips();
        b.hang();
        CompletableFuture<List<CheckResult>> check =
                CompletableFuture.supplyAsync(() -> operator.backend().check(operator.sequence("photos"), 0));
        Await.until("b is asked", () -> b.trips().contains("look"));
        assertThat(from(ids, photos.reserve(WANTED))).isEqualTo("a");
        Map<Long, Long> notes = Map.of(1L, a.tables().row(photos.key()).number());
        b.change(tables -> tables.with(photos.key(), tables.stored(photos.key()).withNotes(notes)));
        then.accept(a);

        b.answer();

        return check.get().stream().map(CheckResult::status).toList();
    }

    @Test
    void preparedCountersAreOpenedWithoutATrip() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        ids.backend().prepare(Map.of(ids.sequence("photos"), List.of(), ids.sequence("users"), List.of()));
        ids.servers.forEach(MemoryServer::trips);

        ids.open("photos");
        Counter users = ids.open("users");

        assertThat(ids.server("a").trips()).isEmpty();
        assertThat(ids.server("b").trips()).isEmpty();
        assertThat(users.reserve(WANTED).first()).isEqualTo(1);
    }

    @Test
    void aCounterThatWouldGiveExistingIdsIsRefused() {
        MemoryCounters ids = MemoryCounters.of(1);
        ids.open("photos");

        assertThatThrownBy(() -> ids.backend().requireAbove(ids.sequence("photos"), List.of(50L), false))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "A counter would give ids that exist: table=sequence name=photos on a id=0, but there is an id"
                                + " 50 already. Set distributedid.existing_ids=raise, or raise the counter:"
                                + " distributedid raise photos --above 50");
    }

    @Test
    void allServersAreRaisedOrNone() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        ids.server("b").fail("b is down");

        assertThatThrownBy(() -> ids.backend().requireAbove(ids.sequence("photos"), List.of(50L), true))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage(
                        "All servers must answer, so that no counter stays behind: table=sequence name=photos; b said:"
                                + " b is down. Repeat the call when they do" + Pages.onCall("counter-not-all-answer"));
        assertThat(photos.reserve(WANTED).first()).isEqualTo(1);

        ids.server("b").heal();
        ids.backend().requireAbove(ids.sequence("photos"), List.of(50L), true);
        assertThat(photos.reserve(WANTED).first()).isGreaterThan(50);
        pass(ids, 500);
        Await.until("b is used", () -> from(ids, photos.reserve(WANTED)).equals("b"));
    }

    @Test
    void aProcessKnowsAfterASuspensionWhatItKnewBefore() throws Exception {
        MemoryCounters ids = MemoryCounters.of(1);
        Counter photos = ids.open("photos");
        photos.reserve(WANTED);
        MemoryServer server = ids.server("a");
        server.change(tables -> MemoryTables.empty(tables.identity(), false, Long.MAX_VALUE));

        ids.resume();

        assertThatThrownBy(() -> ids.open("photos"))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A server has lost its counters, or another has taken its place:"
                        + " table=sequence name=photos on a has no header in its ledger.");
    }

    @Test
    void countersAreWhatTheServersSay() throws Exception {
        MemoryCounters ids = MemoryCounters.of(2);
        Counter photos = ids.open("photos");
        photos.reserve(WANTED);

        assertThat(ids.backend().counters(ids.sequence("photos"))).isEqualTo(Map.of("a", 19L, "b", 0L));
        assertThat(ids.backend().step(ids.sequence("photos"))).isEqualTo(2);
        assertThat(ids.backend().token(ids.sequence("photos"))).isPresent();
    }
}
