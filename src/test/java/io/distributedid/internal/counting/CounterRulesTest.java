package io.distributedid.internal.counting;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.internal.counting.Drawn.Outcome;
import io.distributedid.internal.counting.MemoryTables.Stored;
import io.distributedid.internal.counting.RealignCommand.Member;
import io.distributedid.internal.counting.Refusal.Kind;
import io.distributedid.internal.counting.Write.ToRow;
import io.distributedid.internal.ledger.Version;
import io.distributedid.spi.Block;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What {@link RulesModelTest} leaves out: settings, what an application asks for, numberings, and ends of columns. */
class CounterRulesTest {

    private static final CounterKey COUNTER = new CounterKey("sequence", "photos", "photos");

    private static final CounterRules RULES = new CounterRules(1_000_000, Failover.RAISE);

    /** By place; null if a server does not answer. */
    private final List<@Nullable MemoryTables> servers = new ArrayList<>();

    private final List<Numbering> numberings = new ArrayList<>();

    private int looks;

    private void servers(long largest, Numbering... each) {
        for (Numbering numbering : each) {
            numberings.add(numbering);
            servers.add(MemoryTables.empty("server" + numberings.size(), false, largest));
        }
    }

    private MemoryTables server(int place) {
        return Objects.requireNonNull(servers.get(place));
    }

    private void counter(int place, long last) {
        Stored stored = server(place).stored(COUNTER).withCounter(OptionalLong.of(last));
        servers.set(place, server(place).with(COUNTER, stored));
    }

    private List<@Nullable Seen> look() {
        List<@Nullable Seen> seen = new ArrayList<>();
        for (int place = 0; place < servers.size(); place++) {
            MemoryTables tables = servers.get(place);
            seen.add(tables == null ? null : tables.look(COUNTER, numberings.get(place)));
        }
        return seen;
    }

    /** Looks and changes until nothing is left to change. */
    private Verdict settle(CounterRules rules, Minimum minimum) {
        while (true) {
            List<@Nullable Seen> seen = look();
            Verdict verdict = rules.plan(COUNTER, seen, seen, Known.NOTHING, minimum, "token" + ++looks);
            if (verdict.writes().isEmpty()) {
                return verdict;
            }
            assertThat(looks).isLessThan(20);
            verdict.writes().forEach(this::write);
        }
    }

    private void write(Write write) {
        int place = write.place();
        servers.set(place, Objects.requireNonNull(server(place).after(write, numberings.get(place))));
    }

    private List<@Nullable Kind> refusals(CounterRules rules, Minimum minimum) {
        return kinds(settle(rules, minimum));
    }

    private static List<@Nullable Kind> kinds(Verdict verdict) {
        List<@Nullable Kind> kinds = new ArrayList<>();
        verdict.refusals().forEach(refusal -> kinds.add(refusal == null ? null : refusal.kind()));
        return kinds;
    }

    private Drawn draw(int place, long wanted) {
        CounterRow row = Objects.requireNonNull(server(place).row(COUNTER));
        Draw draw = new Draw(COUNTER, wanted, row.version(), row.number(), Long.MAX_VALUE, Map.of());
        MemoryTables.Answer answer = server(place).draw(draw, numberings.get(place));
        servers.set(place, answer.tables());
        return answer.drawn();
    }

    private long next(int place) {
        return Objects.requireNonNull(draw(place, 1).block()).first();
    }

    private void alone(long largest) {
        servers(largest, new Numbering(1, 1));
    }

    private void pair() {
        servers(Long.MAX_VALUE, new Numbering(2, 1), new Numbering(2, 2));
    }

    // --- Another identity ---

    private void replaced(long drawn) {
        alone(Long.MAX_VALUE);
        settle(RULES, Minimum.NONE);
        draw(0, drawn);
        servers.set(0, server(0).withIdentity("replica"));
    }

    @Test
    void anotherServerIsRaisedByTwiceTheDistance() {
        replaced(10);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(next(0)).isEqualTo(2_000_011);
    }

    @Test
    void anotherServerGoesOnIfTheReplicationLosesNothing() {
        replaced(10);

        assertThat(refusals(new CounterRules(1_000_000, Failover.LOSSLESS), Minimum.NONE))
                .containsOnlyNulls();
        assertThat(next(0)).isEqualTo(11);
    }

    @Test
    void anotherServerThatLostIdsIsRefusedAlthoughTheReplicationLosesNothing() {
        replaced(10);
        counter(0, 5);

        Verdict verdict = settle(new CounterRules(1_000_000, Failover.LOSSLESS), Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.LOST_ALONE, 0, "5", "10"));
    }

    @Test
    void anotherServerIsRefusedIfTheSettingsSaySo() {
        replaced(10);

        Verdict verdict = settle(new CounterRules(1_000_000, Failover.REFUSE), Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.REPLACED, 0, "replica", "server1"));
    }

    // --- Minimum ---

    @ParameterizedTest
    @EnumSource
    void aCounterIsRaisedAboveWhatTheApplicationAsksFor(Failover failover) {
        pair();
        CounterRules rules = new CounterRules(1_000_000, failover);
        settle(rules, Minimum.NONE);
        draw(0, 1);

        assertThat(refusals(rules, Minimum.NONE.raisedAbove(100).raisedAbove(7)))
                .containsOnlyNulls();
        assertThat(new HashSet<>(List.of(next(0), next(1)))).containsExactly(101L, 102L);
    }

    @Test
    void aCounterIsRaisedOnce() {
        pair();
        settle(RULES, new Minimum(100, Map.of()));
        int before = looks;

        settle(RULES, new Minimum(100, Map.of()));

        assertThat(looks).isEqualTo(before + 1);
    }

    @Test
    void aCounterThatWouldGiveAnIdThatExistsIsRefused() {
        pair();
        settle(RULES, Minimum.NONE);
        draw(0, 3);

        Verdict verdict = settle(RULES, Minimum.NONE.withExisting(6, 2).withExisting(5, 2));

        assertThat(verdict.refusals()).containsExactly(null, new Refusal(Kind.EXISTING, 1, "0", "6"));
    }

    // --- What is known ---

    /** Numbers never fall; versions may, on a server that lost some. */
    @Test
    void aNewerEraEndsWhatIsKnownOfVersionsButNotOfNumbers() {
        alone(Long.MAX_VALUE);
        settle(RULES, Minimum.NONE);
        draw(0, 10);
        Header header = Objects.requireNonNull(server(0).header(COUNTER));
        CounterRow row = Objects.requireNonNull(server(0).row(COUNTER));
        CounterRow later = new CounterRow(new Version(17, "b"), false, 10, row.identity(), 0, "");
        Known known = Known.NOTHING.with(0, header, later, 10);

        assertThat(plan(known).refusals()).containsOnlyNulls();
        assertThat(known.with(0, header, row, 10).server(0).orElseThrow().version())
                .isEqualTo(row.version());
        assertThat(kinds(plan(known.drawn(0, later.version(), 11)))).containsExactly(Kind.LOST_ALONE);
    }

    @Test
    void aCounterThatIsKnownOnASilentServerHasLostNothingElsewhere() {
        pair();
        open();
        Header header = Objects.requireNonNull(server(0).header(COUNTER));
        CounterRow row = new CounterRow(new Version(1, "a"), false, 9, "server1", 1, "");
        servers.set(0, null);

        assertThat(kinds(plan(Known.NOTHING.with(0, header, row, 9))))
                .containsExactly(Kind.SILENT, Kind.NOT_ALL_ANSWER);
    }

    private Verdict plan(Known known) {
        return RULES.plan(COUNTER, look(), look(), known, Minimum.NONE, "token");
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

        Verdict verdict = settle(RULES, minimum);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.NO_ROOM, 0, "127", "127"));
        assertThat(refusals(RULES, new Minimum(126, Map.of()))).containsOnlyNulls();
        assertThat(next(0)).isEqualTo(127);
        assertThat(draw(0, 1).outcome()).isEqualTo(Outcome.EXHAUSTED);
        assertThat(refusals(RULES, minimum)).containsOnlyNulls();
    }

    @Test
    void theEndOfTheLargestColumnIsNoLoss() {
        alone(Long.MAX_VALUE);
        counter(0, Long.MAX_VALUE - 3);
        settle(RULES, Minimum.NONE);

        assertThat(draw(0, 10)).isEqualTo(Drawn.of(new Block(Long.MAX_VALUE - 2, 1, 3)));
        assertThat(draw(0, 1).outcome()).isEqualTo(Outcome.EXHAUSTED);
        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
    }

    @Test
    void aServerThatLostIdsAtTheEndOfItsColumnIsRefused() {
        servers(10_000, new Numbering(2, 1), new Numbering(2, 2));
        settle(RULES, Minimum.NONE);
        draw(0, 4_000);
        counter(0, 1);

        Verdict verdict = settle(RULES, Minimum.NONE);

        assertThat(verdict.refusals()).containsExactly(new Refusal(Kind.NO_ROOM, 0, "2007999", "10000"), null);
    }

    // --- Numberings ---

    @Test
    void aServerThatNumbersOtherwiseThanBeforeStopsAll() {
        pair();
        settle(RULES, Minimum.NONE);
        numberings.set(1, new Numbering(2, 1));

        Refusal refusal = new Refusal(Kind.NUMBERING, 1, "increment=2 offset=1", "increment=2 offset=2");
        assertThat(settle(RULES, Minimum.NONE).refusals()).containsExactly(refusal, refusal);
    }

    @Test
    void serversWithTheSameNumbersAreNotUsed() {
        servers(Long.MAX_VALUE, new Numbering(2, 1), new Numbering(4, 2));

        Refusal refusal = new Refusal(Kind.OVERLAP, 1, "increment=4 offset=2", "increment=2 offset=1");
        assertThat(settle(RULES, Minimum.NONE).refusals()).containsExactly(refusal, refusal);
    }

    @Test
    void aCounterWithAnIdOfAnotherServerIsRefused() {
        pair();
        settle(RULES, Minimum.NONE);
        counter(1, 5);

        assertThat(settle(RULES, Minimum.NONE).refusals())
                .containsExactly(null, new Refusal(Kind.REMAINDER, 1, "5", "increment=2 offset=2"));
    }

    @Test
    void aUsedCounterBesideAnUnusedOneIsRefused() {
        pair();
        counter(0, 7);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.USED, Kind.USED);
        assertThat(server(0).header(COUNTER)).isNull();
    }

    @Test
    void aLoneCounterThatOthersHaveUsedIsTakenOverWhereItStands() {
        alone(Long.MAX_VALUE);
        counter(0, 7);

        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(next(0)).isEqualTo(8);
    }

    /** Which offset the silent server has is not known, and so it can't be noted that the counter is not there. */
    @Test
    void aNewCounterWaitsForServersThatNumberThemselves() {
        servers(Long.MAX_VALUE, new Numbering(10, 3), new Numbering(10, 7));
        open();
        servers.set(1, null);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(Kind.NOT_ALL_ANSWER, Kind.SILENT);
    }

    @Test
    void aNewCounterDoesNotWaitForAServerThatIsNumberedByItsPlace() {
        pair();
        open();
        servers.set(1, null);

        assertThat(refusals(RULES, Minimum.NONE)).containsExactly(null, Kind.SILENT);
        assertThat(server(0).stored(COUNTER).notes()).isEqualTo(Map.of(2L, Seen.NOT_CREATED));
    }

    /** The table, and not the counter. */
    private void open() {
        settle(RULES, Minimum.NONE);
        IntStream.range(0, servers.size())
                .forEach(place -> servers.set(place, server(place).with(COUNTER, Stored.NOTHING)));
    }

    // --- Commands ---

    private RealignCommand repair(String id, long above) {
        List<Member> list = IntStream.range(0, servers.size())
                .mapToObj(place -> new Member("server" + place, numberings.get(place)))
                .toList();
        return new RealignCommand(id, "list", "list", list, list, COUNTER, COUNTER, above, "");
    }

    private Verdict repair(long above) {
        RealignRules rules = new RealignRules(RULES);
        RealignCommand command = repair("repair" + ++looks, above);
        Verdict verdict = rules.begin(command, look(), "token" + looks);
        while (!verdict.writes().isEmpty()) {
            List<Write> writes = RealignRules.joined(Arrays.asList(verdict, verdict));
            writes.forEach(this::write);
            boolean isSealed = writes.stream()
                    .noneMatch(write ->
                            write.change() instanceof ToRow to && !to.row().isOpen());
            boolean isOpened = writes.size() > servers.size() && isSealed;
            if (isOpened) {
                return verdict;
            }
            verdict = rules.go(command, look(), "token" + ++looks);
        }
        return verdict;
    }

    /** He does not know what processes hold in memory. */
    @Test
    void aRepairRaisesAllByTwiceTheDistanceAboveWhatTheOperatorSays() {
        pair();
        settle(RULES, Minimum.NONE);

        assertThat(kinds(repair(1_000))).containsOnlyNulls();
        assertThat(refusals(RULES, Minimum.NONE)).containsOnlyNulls();
        assertThat(List.of(next(0), next(1))).containsExactly(2_001_001L, 2_001_002L);
    }

    @Test
    void aRepairDoesNotRaiseBeyondTheEndOfAColumn() {
        servers(10_000, new Numbering(2, 1), new Numbering(2, 2));
        settle(RULES, Minimum.NONE);

        Refusal refusal = new Refusal(Kind.NO_ROOM, 0, "2009999", "10000");
        assertThat(repair(9_999).refusals()).containsExactly(refusal, refusal);
    }
}
