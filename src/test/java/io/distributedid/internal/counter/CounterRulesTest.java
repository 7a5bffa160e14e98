package io.distributedid.internal.counter;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.CounterMove;
import io.distributedid.internal.counter.Drawn.Outcome;
import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.RealignCommand.Member;
import io.distributedid.internal.counter.Refusal.Kind;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@link RulesModelTest} leaves out: settings, what an application asks for, numberings, and ends of columns. */
class CounterRulesTest {

    private static final CounterKey COUNTER = new CounterKey("sequence", "photos", "photos");

    private static final CounterRules RULES = new CounterRules(1_000_000, Failover.RAISE);

    private final MemoryList list = new MemoryList(COUNTER);

    private List<@Nullable Kind> refusals(CounterRules rules, Minimum minimum) {
        return kinds(list.settle(rules, minimum));
    }

    private static List<@Nullable Kind> kinds(Verdict verdict) {
        List<@Nullable Kind> kinds = new ArrayList<>();
        verdict.refusals().forEach(refusal -> kinds.add(refusal == null ? null : refusal.kind()));
        return kinds;
    }

    private void alone(long largest) {
        list.add(largest, new Numbering(1, 1));
    }

    private void pair() {
        list.add(Long.MAX_VALUE, new Numbering(2, 1), new Numbering(2, 2));
    }

    // --- Another identity ---

    private void replaced(long drawn) {
        alone(Long.MAX_VALUE);
        list.settle(RULES, Minimum.NONE);
        list.draw(0, drawn);
        list.servers.set(0, list.server(0).withIdentity("replica"));
    }

    @Test
    void anotherServerIsRaisedByTwiceTheDistance() {
        replaced(10);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(list.next(0)).isEqualTo(2_000_011);
    }

    @Test
    void anotherServerGoesOnIfTheReplicationLosesNothing() {
        replaced(10);

        assertThat(refusals(new CounterRules(1_000_000, Failover.LOSSLESS), Minimum.NONE))
                .containsOnlyNulls();
        assertThat(list.next(0)).isEqualTo(11);
    }

    @Test
    void anotherServerThatLostIdsIsRefusedAlthoughTheReplicationLosesNothing() {
        replaced(10);
        list.counter(0, 5);

        Verdict verdict = list.settle(new CounterRules(1_000_000, Failover.LOSSLESS), Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.LOST_ALONE, 0, "5", "10"));
    }

    @Test
    void anotherServerIsRefusedIfTheSettingsSaySo() {
        replaced(10);

        Verdict verdict = list.settle(new CounterRules(1_000_000, Failover.REFUSE), Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.REPLACED, 0, "replica", "server1"));
    }

    private List<String> members(int place) {
        return Objects.requireNonNull(list.server(place).header(COUNTER)).members();
    }

    /** If it loses all before its row is written, the others know it, and the old one may come back. */
    @ParameterizedTest
    @EnumSource(names = "REFUSE", mode = EnumSource.Mode.EXCLUDE)
    void anotherServerIsNamedByAllHeadersBeforeItsRowIsWritten(Failover failover) {
        CounterRules rules = new CounterRules(1_000_000, failover);
        pair();
        list.settle(rules, Minimum.NONE);
        for (String identity : List.of("replica", "server1")) {
            identities(identity, "server2");

            Verdict verdict = rules.plan(COUNTER, list.look(), list.look(), Known.NOTHING, Minimum.NONE, identity);

            assertThat(verdict.writes())
                    .extracting(write -> write.change().getClass().getSimpleName() + write.place())
                    .containsExactly("ToHeader0", "ToHeader1", "ToRow0");
            assertThat(refusals(rules, Minimum.NONE)).containsOnlyNulls();
            assertThat(members(0)).containsExactly(identity, "server2");
            assertThat(members(1)).containsExactly(identity, "server2");
        }
    }

    @Test
    void aServerThatWasAwayNamesAnotherOneWhenItAnswers() {
        pair();
        list.settle(RULES, Minimum.NONE);
        MemoryTables away = list.server(1);
        identities("replica");
        list.servers.set(1, null);
        list.settle(RULES, Minimum.NONE);
        list.servers.set(1, away);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(members(1)).containsExactly("replica", "server2");
    }

    @Test
    void anotherServerThatIsRefusedIsNotNamed() {
        pair();
        list.settle(RULES, Minimum.NONE);
        identities("replica");

        Verdict verdict = new CounterRules(1_000_000, Failover.REFUSE)
                .plan(COUNTER, list.look(), list.look(), Known.NOTHING, Minimum.NONE, "token");

        assertThat(verdict.writes()).isEmpty();
    }

    /** Their own settings number these servers. */
    @Test
    void aListInAnotherOrderChangesNoHeader() {
        list.add(Long.MAX_VALUE, new Numbering(10, 3), new Numbering(10, 7));
        list.settle(RULES, Minimum.NONE);
        Collections.reverse(list.servers);
        Collections.reverse(list.numberings);

        assertThat(plan(Known.NOTHING).writes()).isEmpty();
    }

    private void identities(String... each) {
        for (int place = 0; place < each.length; place++) {
            list.servers.set(place, list.server(place).withIdentity(each[place]));
        }
    }

    /** As two users of one server see it, of whom one may not read the identity. */
    @ParameterizedTest
    @EnumSource
    void anUnknownIdentityIsNoOtherOneAndReplacesNone(Failover failover) {
        CounterRules rules = new CounterRules(1_000_000, failover);
        alone(Long.MAX_VALUE);
        identities("");
        list.settle(rules, Minimum.NONE);
        list.draw(0, 10);

        for (String identity : List.of("known", "", "known", "")) {
            identities(identity);
            assertThat(refusals(rules, Minimum.NONE)).containsOnlyNulls();
            assertThat(list.server(0).row(COUNTER).identity()).isEqualTo("known");
            assertThat(members(0)).containsExactly("known");
        }

        assertThat(refusals(rules, Minimum.NONE.raisedAbove(20))).containsOnlyNulls();
        assertThat(list.next(0)).isEqualTo(21);
        assertThat(list.server(0).row(COUNTER).identity()).isEqualTo("known");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aFirstUseIsEndedByAUserWhoKnowsMoreOrFewerIdentities(boolean isKnownFirst) {
        pair();
        identities(isKnownFirst ? "a" : "", "b");
        list.write(plan(Known.NOTHING).writes().get(0));
        identities(isKnownFirst ? "" : "a", "b");

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(members(1)).containsExactly("a", "b");
    }

    // --- Servers of one list that have the same identity ---

    @Test
    void serversThatCannotBeToldApartAreRefusedAtTheFirstUse() {
        pair();
        identities("server_id 1 schema ids", "server_id 1 schema ids");

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.SAME, Kind.SAME);
        assertThat(list.server(0).headers()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "h2 schema PUBLIC"})
    void serversWhoseIdentityTellsNothingAreNot(String identity) {
        pair();
        identities(identity, identity);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
    }

    // --- Minimum ---

    @ParameterizedTest
    @EnumSource
    void aCounterIsRaisedAboveWhatTheApplicationAsksFor(Failover failover) {
        pair();
        CounterRules rules = new CounterRules(1_000_000, failover);
        list.settle(rules, Minimum.NONE);
        list.draw(0, 1);

        assertThat(refusals(rules, Minimum.NONE.raisedAbove(100).raisedAbove(7)))
                .containsOnlyNulls();
        assertThat(new HashSet<>(List.of(list.next(0), list.next(1)))).containsExactly(101L, 102L);
    }

    @Test
    void aCounterThatWouldGiveAnIdThatExistsIsRefused() {
        pair();
        list.settle(RULES, Minimum.NONE);
        list.draw(0, 3);

        Verdict verdict = list.settle(RULES, Minimum.NONE.withExisting(6, 2).withExisting(5, 2));

        assertThat(verdict.refusals()).containsExactly(null, new Refusal(Kind.EXISTING, 1, "0", "6"));
    }

    // --- What is known ---

    /** Numbers never fall; versions may, on a server that lost some. */
    @Test
    void aNewerEraEndsWhatIsKnownOfVersionsButNotOfNumbers() {
        alone(Long.MAX_VALUE);
        list.settle(RULES, Minimum.NONE);
        list.draw(0, 10);
        Header header = Objects.requireNonNull(list.server(0).header(COUNTER));
        CounterRow row = Objects.requireNonNull(list.server(0).row(COUNTER));
        CounterRow later = new CounterRow(new Version(17, "b"), false, 10, row.identity(), 0, "");
        Known known = Known.NOTHING.with(0, header, later, 10);

        assertThat(plan(known).refusals()).containsOnlyNulls();
        assertThat(known.with(0, header, row, 10).server(0).orElseThrow().version())
                .isEqualTo(row.version());
        assertThat(kinds(plan(known.drawn(0, later.version(), 11)))).containsExactly(Kind.LOST_ALONE);
    }

    @Test
    void whatOnlyOneProcessKnowsToBeLostIsMarkedForThoseThatStart() {
        alone(Long.MAX_VALUE);
        list.settle(RULES, Minimum.NONE);
        list.draw(0, 3);
        MemoryTables backup = list.server(0);
        list.draw(0, 7);
        Header header = Objects.requireNonNull(list.server(0).header(COUNTER));
        CounterRow row = Objects.requireNonNull(list.server(0).row(COUNTER));
        Known known = Known.NOTHING.with(0, header, row, 10);
        list.servers.set(0, backup);

        Verdict found = plan(known);
        found.writes().forEach(list::write);

        assertThat(found.refusals()).containsExactly(new Refusal(Kind.LOST_ALONE, 0, "3", "10"));
        assertThat(kinds(plan(Known.NOTHING))).containsExactly(Kind.LOST_ALONE);
        assertThat(plan(known).writes()).isEmpty();
    }

    @Test
    void aCounterThatIsKnownOnASilentServerHasLostNothingElsewhere() {
        pair();
        open();
        Header header = Objects.requireNonNull(list.server(0).header(COUNTER));
        CounterRow row = new CounterRow(new Version(1, "a"), false, 9, "server1", 1, "");
        list.servers.set(0, null);

        assertThat(kinds(plan(Known.NOTHING.with(0, header, row, 9))))
                .containsExactly(Kind.SILENT, Kind.NOT_ALL_ANSWER);
    }

    private Verdict plan(Known known) {
        return RULES.plan(COUNTER, list.look(), list.look(), known, Minimum.NONE, "token");
    }

    // --- Bounds ---

    @Test
    void boundsStayBelowTheLargestNumber() {
        CounterRules rules = new CounterRules(Long.MAX_VALUE, Failover.RAISE);

        assertThat(rules.furthest(0)).isEqualTo(1L << 60);
        assertThat(rules.furthest(Long.MAX_VALUE - 1)).isEqualTo(Long.MAX_VALUE);
        assertThat(rules.beyondLoss(1)).isEqualTo(Long.MAX_VALUE);
        assertThat(new CounterRules(5, Failover.RAISE).furthest(10)).isEqualTo(5_010);
    }

    @Test
    void aCounterIsNotRaisedBeyondTheEndOfItsColumn() {
        alone(127);
        Minimum minimum = new Minimum(127, Map.of());

        Verdict verdict = list.settle(RULES, minimum);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.NO_ROOM, 0, "127", "126"));
        assertThat(refusals(RULES, new Minimum(126, Map.of()))).containsOnlyNulls();
        assertThat(list.next(0)).isEqualTo(127);
        assertThat(list.draw(0, 1).outcome()).isEqualTo(Outcome.EXHAUSTED);
        assertThat(refusals(RULES, minimum)).containsOnlyNulls();
    }

    @Test
    void theEndOfTheLargestColumnIsNoLoss() {
        alone(Long.MAX_VALUE);
        list.counter(0, Long.MAX_VALUE - 3);
        list.settle(RULES, Minimum.NONE);

        assertThat(list.draw(0, 10)).isEqualTo(Drawn.of(new Block(Long.MAX_VALUE - 2, 1, 3)));
        assertThat(list.draw(0, 1).outcome()).isEqualTo(Outcome.EXHAUSTED);
        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
    }

    @Test
    void aServerThatLostIdsAtTheEndOfItsColumnIsRefused() {
        list.add(10_000, new Numbering(2, 1), new Numbering(2, 2));
        list.settle(RULES, Minimum.NONE);
        list.draw(0, 4_000);
        list.counter(0, 1);

        Verdict verdict = list.settle(RULES, Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.NO_ROOM, 0, "2007999", "9998"), null);
    }

    // --- Numberings ---

    @Test
    void aServerThatNumbersOtherwiseThanBeforeStopsAll() {
        pair();
        list.settle(RULES, Minimum.NONE);
        list.numberings.set(1, new Numbering(2, 1));

        Refusal refusal = new Refusal(Kind.NUMBERING, 1, "increment=2 offset=1", "increment=2 offset=2");
        assertThat(list.settle(RULES, Minimum.NONE).refusals()).containsExactly(refusal, refusal);
    }

    @Test
    void serversWithTheSameNumbersAreNotUsed() {
        list.add(Long.MAX_VALUE, new Numbering(2, 1), new Numbering(4, 2));

        Refusal refusal = new Refusal(Kind.OVERLAP, 1, "increment=4 offset=2", "increment=2 offset=1");
        assertThat(list.settle(RULES, Minimum.NONE).refusals()).containsExactly(refusal, refusal);
    }

    @Test
    void aCounterWithAnIdOfAnotherServerIsRefused() {
        pair();
        list.settle(RULES, Minimum.NONE);
        list.counter(1, 5);

        assertThat(list.settle(RULES, Minimum.NONE).refusals())
                .containsExactly(null, new Refusal(Kind.REMAINDER, 1, "5", "increment=2 offset=2"));
    }

    @Test
    void aUsedCounterBesideAnUnusedOneIsRefused() {
        pair();
        list.counter(0, 7);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.USED, Kind.USED);
        assertThat(list.server(0).header(COUNTER)).isNull();
    }

    @Test
    void aLoneCounterThatOthersHaveUsedIsTakenOverWhereItStands() {
        alone(Long.MAX_VALUE);
        list.counter(0, 7);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(list.next(0)).isEqualTo(8);
    }

    /** Which offset the silent server has is not known, and so it can't be noted that the counter is not there. */
    @Test
    void aNewCounterWaitsForServersThatNumberThemselves() {
        list.add(Long.MAX_VALUE, new Numbering(10, 3), new Numbering(10, 7));
        open();
        list.servers.set(1, null);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.NOT_ALL_ANSWER, Kind.SILENT);
    }

    @Test
    void aNewCounterDoesNotWaitForAServerThatIsNumberedByItsPlace() {
        pair();
        open();
        list.servers.set(1, null);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(null, Kind.SILENT);
        assertThat(list.server(0).stored(COUNTER).notes()).isEqualTo(Map.of(2L, Seen.NOT_CREATED));
    }

    /** The other one may note for good that it was never created, and would create it again after a loss. */
    @Test
    void aNewCounterThatTheOtherServerHasTooWaitsForIt() {
        pair();
        open();
        RULES.plan(COUNTER, list.look(), list.look(), Known.NOTHING, Minimum.NONE, "new")
                .writes()
                .forEach(list::write);
        MemoryTables away = list.server(1);
        list.servers.set(1, null);
        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.NOT_ALL_ANSWER, Kind.SILENT);

        list.servers.set(1, away);
        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(list.server(1).stored(COUNTER).notes()).doesNotContainValue(Seen.NOT_CREATED);
    }

    /** The table, and not the counter. */
    private void open() {
        list.settle(RULES, Minimum.NONE);
        IntStream.range(0, list.servers.size())
                .forEach(place -> list.servers.set(place, list.server(place).with(COUNTER, Stored.NOTHING)));
    }

    @Test
    void aRepairDoesNotRaiseBeyondTheEndOfAColumn() {
        list.add(10_000, new Numbering(2, 1), new Numbering(2, 2));
        list.settle(RULES, Minimum.NONE);
        RealignRules rules = new RealignRules(RULES);

        rules.begin(repair(9_999), "close").writes().forEach(list::write);
        rules.go(repair(9_999), "seal").writes().forEach(list::write);

        Refusal refusal = new Refusal(Kind.NO_ROOM, 0, "2009999", "9998");
        assertThat(rules.go(repair(9_999), "open").refusals()).containsExactly(refusal, refusal);
    }

    private RealignLook repair(long above) {
        List<Member> all = IntStream.range(0, list.servers.size())
                .mapToObj(place -> new Member("server" + place, list.numberings.get(place)))
                .toList();
        RealignCommand command = new RealignCommand(
                "repair", "list", "list", all, all, COUNTER, COUNTER, above, 0, CounterMove.Kind.PLACE, 0, "");
        return RealignLook.of(
                command, list.look().stream().filter(Objects::nonNull).toList());
    }
}
