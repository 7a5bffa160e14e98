package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.SeenBuilder.TOKEN;
import static io.distributedid.internal.counter.SeenBuilder.server;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.DriftLimit.Failover;
import io.distributedid.internal.counter.NumberingRecord.State;
import io.distributedid.spi.Block;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlanTest {

    private record Row(String rowName) implements CounterKey {

        @Override
        public String table() {
            return "sequence";
        }

        @Override
        public boolean isAloneInItsTable() {
            return false;
        }

        @Override
        public String toString() {
            return "row=" + rowName;
        }
    }

    private static final long MAX = 1_000;

    private static final long MOST = 1_000 * MAX;

    private Failover failover = Failover.RAISE;

    private boolean raiseBehind;

    private int servers = 2;

    private CounterMinimum floor = CounterMinimum.NONE;

    private CounterHistory history = newHistory(2);

    // Claims

    @Test
    void aTableIsClaimedFirstOnTheServerWithTheSmallestOffset() {
        Plan plan =
                plan(server(1, 2).empty().numbered(2, 1), server(0, 2).empty().numbered(2, 2));

        assertThat(kinds(plan)).containsExactly("claim s2");
        assertThat(plan.changes().get(0).token()).hasSize(36);
        assertThat(plan.refusals()).isEmpty();
    }

    @Test
    void anotherProcessClaimsWithAnotherToken() {
        Plan one = plan(server(0, 2).empty(), server(1, 2).empty());
        Plan two = plan(server(0, 2).empty(), server(1, 2).empty());

        assertThat(one.changes().get(0).token())
                .isNotEqualTo(two.changes().get(0).token());
    }

    @Test
    void theTokenIsCopiedToTheOthers() {
        servers(3);
        Plan plan = plan(
                server(0, 3).empty().claim(State.NEW, "first"),
                server(1, 3).empty(),
                server(2, 3).empty());

        assertThat(kinds(plan)).containsExactly("claim s2", "claim s3");
        assertThat(plan.changes()).extracting(Change::token).containsOnly("first");
    }

    @Test
    void whatAllHaveClaimedIsOpenedAndTheFirstServerLast() {
        servers(3);
        Plan plan = plan(
                server(0, 3).empty().claim(State.NEW, "t"),
                server(1, 3).empty().claim(State.NEW, "t"),
                server(2, 3).empty().claim(State.NEW, "t"));

        assertThat(kinds(plan)).containsExactly("open s3", "open s2", "open s1");
    }

    @Test
    void anOpeningThatWasCutOffIsEndedByTheNextProcess() {
        Plan plan = plan(
                server(0, 2).empty().claim(State.NEW, "t"), server(1, 2).empty().claim(State.OPEN, "t"));

        assertThat(kinds(plan)).containsExactly("open s1");
    }

    @Test
    void aServerThatWasDownWhenTheOthersWereOpenedIsOpenedLater() {
        servers(3);
        Plan plan = plan(server(0, 3), server(1, 3).empty().claim(State.NEW, TOKEN));

        assertThat(kinds(plan)).containsExactly("open s2");
    }

    @Test
    void aServerThatLacksWhatAnotherKnowsOfIsDoubtful() {
        Seen first = server(0, 2).last(1).build();
        Seen empty = server(0, 2).empty().build();
        Seen second = server(1, 2).knows(1, 1, 501).build();

        assertThat(Plan.isDoubtful(first, List.of(first, second))).isTrue();
        assertThat(Plan.isDoubtful(second, List.of(first, second))).isFalse();
        assertThat(Plan.isDoubtful(empty, List.of(empty, second))).isTrue();
        assertThat(Plan.isDoubtful(empty, List.of(empty))).isFalse();
    }

    @Test
    void allServersMustAnswerBeforeAClaimIsBegunContinuedOrOpened() {
        for (SeenBuilder first : List.of(
                server(0, 2).empty(),
                server(0, 2).empty().claim(State.NEW, "t"),
                server(1, 2).empty())) {
            assertThatThrownBy(() -> plan(first))
                    .isInstanceOf(IdUnavailableException.class)
                    .hasMessageStartingWith("All servers must answer a client that claims a table of counters for the"
                            + " first time: row=photos, no answer from [s");
        }
    }

    @Test
    void twoTokensOfARaceAreNoIdSpace() {
        assertThatThrownBy(() -> plan(
                        server(0, 2).empty().claim(State.NEW, "a"),
                        server(1, 2).empty().claim(State.NEW, "b")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("The servers must belong to one id space: row=photos: s1 has token=a, s2 has token=b. List"
                        + " the servers that belong together");
    }

    @Test
    void anEmptyServerBesideAUsedOneIsNotClaimed() {
        assertThatThrownBy(
                        () -> plan(server(0, 2).empty().last(41), server(1, 2).empty()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith(
                        "An empty server stands beside one that gave ids: row=photos on s2 id=0, s1 id=41.");
    }

    @Test
    void serversThatAllGaveIdsAreClaimed() {
        assertThat(kinds(
                        plan(server(0, 2).empty().last(41), server(1, 2).empty().last(40))))
                .containsExactly("claim s1");
    }

    @Test
    void aServerThatHasNoClaimBesideAnOpenOneHasLostIt() {
        assertLostClaim("s2", server(0, 2), server(1, 2).empty());
        assertLostClaim("s1", server(0, 2).empty(), server(1, 2));
        assertLostClaim("s1", server(0, 2).empty(), server(1, 2).claim(State.NEW, TOKEN));
    }

    @Test
    void aServerThatHasNoClaimBesideOneThatIsBeingOpenedHasLostIt() {
        servers(3);
        assertLostClaim(
                "s2",
                server(0, 3).claim(State.NEW, TOKEN),
                server(1, 3).empty(),
                server(2, 3).claim(State.OPEN, TOKEN));
    }

    @Test
    void aProcessThatHadIdsDoesNotClaimTheTableAgain() {
        plan(server(0, 2), server(1, 2));

        assertLostClaim("s1", server(0, 2).empty(), server(1, 2).empty());
    }

    @Test
    void theOnlyServerThatHasNoClaimAnyMoreIsComparedWithWhatThisProcessHad() {
        servers(1);
        plan(server(0, 1));

        assertThatThrownBy(() -> plan(server(0, 1).empty()))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessage("A server has lost its counters, or another has taken its place: row=photos on s1 has no"
                        + " claim, but this client has taken ids of token=token. To end this, stop the clients and"
                        + " run: distributedid repair photos --above ID, the largest id in use");
    }

    @ParameterizedTest
    @EnumSource(
            value = State.class,
            names = {"MOVING", "READY", "RETIRED"})
    void countersThatWereMovedAwayGiveNoIds(State state) {
        Plan plan = plan(server(0, 2).claim(state, TOKEN), server(1, 2));

        assertThat(plan.changes()).isEmpty();
        assertRefused(
                plan,
                0,
                "The counters were moved away: row=photos on s1 state="
                        + state.name().toLowerCase(Locale.ROOT)
                        + (state == State.RETIRED
                                ? ". List the servers and the table that hold them now"
                                : ". Finish the move or the repair by repeating it"));
    }

    @Test
    void aClientThatNumbersOtherwiseIsRefusedOnThatServerOnly() {
        Plan plan = plan(server(0, 2).numbered(2, 2), server(1, 2));

        assertRefused(
                plan,
                0,
                "Clients must number the servers alike: row=photos on s1 is claimed with increment=2 offset=1, but this"
                        + " client has increment=2 offset=2.");
    }

    @Test
    void aServerOfAnotherIdSpaceThanBeforeIsRefused() {
        plan(server(0, 2), server(1, 2));

        Plan plan = plan(server(0, 2).claim(State.OPEN, "other"), server(1, 2));

        assertRefused(
                plan,
                0,
                "The servers must belong to one id space: row=photos on s1 has token=other, but this client has"
                        + " taken ids"
                        + " of token=token.");
    }

    @Test
    void openServersOfTwoIdSpacesAreRefusedTogether() {
        assertThatThrownBy(() -> plan(server(0, 2), server(1, 2).claim(State.OPEN, "other")))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageContaining("s2 has token=other, s1 has token=token");
    }

    @Test
    void anIdOfAnotherRemainderIsRefused() {
        assertRefused(
                plan(server(0, 2).last(10), server(1, 2)),
                0,
                "A counter has an id that its server never gives: row=photos on s1 id=10, increment=2 offset=1.");
    }

    // Counters

    @Test
    void aNewCounterIsCreatedOnOneServerFirstWhichMarksTheOthers() {
        floor = new CounterMinimum(99, java.util.Map.of());
        Plan plan = plan(newCounter(0), newCounter(1));

        assertThat(kinds(plan)).containsExactly("create s1");
        assertThat(plan.changes().get(0).value()).isEqualTo(99);
        assertThat(plan.changes().get(0).marks()).containsExactly(2L);
    }

    @Test
    void aNewCounterIsCreatedWithAServerDown() {
        servers(3);
        Plan plan = plan(server(0, 3).withoutCounter().withoutRow());

        assertThat(kinds(plan)).containsExactly("create s1");
        assertThat(plan.changes().get(0).marks()).containsExactly(2L, 3L);
    }

    @Test
    void aRowThatWasThereBeforeTheRecordIsTakenOver() {
        Plan plan = plan(
                server(0, 2).withoutCounter().last(41),
                server(1, 2).withoutCounter().last(40));

        assertThat(kinds(plan)).containsExactly("create s1");
    }

    @Test
    void serversThatNumberThemselvesMustAllAnswerForANewCounter() {
        assertThatThrownBy(() -> plan(server(0, 2)
                        .numbered(3, 2)
                        .claim(State.OPEN, TOKEN)
                        .withoutCounter()
                        .withoutRow()))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(
                        "creates a counter on servers that number themselves: row=photos, no answer from [s2]");
    }

    @Test
    void aServerThatWasAwayGetsTheCounterAboveTheOthers() {
        Plan plan = plan(server(0, 2).last(501).knowsNotCreated(2), newCounter(1));

        assertThat(kinds(plan)).as("the mark goes first").containsExactly("witness s1", "create s2");
        assertThat(plan.changes().get(1).value()).isEqualTo(501);
        assertThat(plan.changes().get(1).marks()).isEmpty();
    }

    @Test
    void theMarkIsClearedBeforeTheServerIsUsed() {
        Plan plan = plan(server(0, 2).last(501).knowsNotCreated(2), server(1, 2).last(502));

        assertThat(plan.changes())
                .singleElement()
                .satisfies(change -> assertThat(
                                List.of(change.kind(), change.seen().label(), change.peer(), change.value()))
                        .isEqualTo(List.of(Change.Kind.WITNESS, "s1", 2L, 502L)));
    }

    @Test
    void twoServersThatMarkedEachOtherAreBothUsed() {
        Plan plan = plan(
                server(0, 2).last(501).knowsNotCreated(2), server(1, 2).last(2).knowsNotCreated(1));

        assertThat(kinds(plan)).containsExactlyInAnyOrder("witness s1", "witness s2");
    }

    @Test
    void aRecordThatIsMissingWithoutAMarkWasLost() {
        for (SeenBuilder lost : List.of(
                server(1, 2).withoutCounter().withoutRow(),
                server(1, 2).withoutCounter().last(40))) {
            Plan plan = plan(server(0, 2).last(501), lost);

            assertRaised(plan, "s2", 501 + 2 * MAX, 1);
        }
    }

    /** The third server does not answer. Notes are updates later: what is not written now, is never written. */
    @Test
    void aRecordThatIsWrittenAnewHasTheNotesAndTheMarksOfTheOthers() {
        servers(3);
        Plan plan = plan(
                server(0, 3).last(502).counter(4, 0).knowsNotCreated(3),
                server(1, 3).withoutCounter().withoutRow());

        Change recovery =
                plan.changes().stream().filter(Change::isRecovery).findFirst().orElseThrow();
        assertThat(recovery.seen().label()).isEqualTo("s2");
        assertThat(recovery.notes()).isEqualTo(Map.of(1L, new Witness(4, 502)));
        assertThat(recovery.marks()).containsExactly(3L);
        assertThat(recovery.peer()).isEqualTo(3);
    }

    @Test
    void aRowThatIsMissingWithItsRecordThereWasLost() {
        assertRaised(plan(server(0, 2).last(501), server(1, 2).withoutRow()), "s2", 501 + 2 * MAX, 2);
    }

    @Test
    void aCounterThatThisProcessUsedIsNotCreatedAgain() {
        take(0, 101, 1);
        take(1, 102, 1);

        Plan plan = plan(newCounter(0), newCounter(1));

        assertThat(kinds(plan)).containsExactly("raise s1", "raise s2");
    }

    // Lost ids

    @Test
    void aServerBelowTheIdsOfThisProcessIsRaisedAboveAllThatIsKnown() {
        take(0, 101, 1);

        assertRaised(plan(server(0, 2).last(99), server(1, 2).last(40)), "s1", 119 + 2 * MAX, 2);
    }

    @Test
    void theHighestIdThatAnyServerKnowsOfCounts() {
        servers(3);
        Plan plan = plan(
                server(0, 3).last(1).knows(3, 1, 603),
                server(1, 3).last(2).knows(1, 1, 301),
                server(2, 3).last(603));

        assertRaised(plan, "s1", 603 + 2 * MAX, 2);
    }

    @Test
    void aServerBelowItsWitnessIsRaised() {
        Plan plan = plan(server(0, 2).last(1), server(1, 2).last(40).knows(1, 1, 501));

        assertRaised(plan, "s1", 501 + 2 * MAX, 2);
    }

    @Test
    void aServerBelowItsOwnRecordOfItselfIsRefusedIfItIsAlone() {
        servers(1);
        Plan plan = plan(server(0, 1).last(1).knows(1, 1, 501));

        assertThat(plan.changes()).isEmpty();
        assertRefused(
                plan,
                0,
                "A counter went back and may give ids again: row=photos on s1 id=1 now, but it gave id=501. No other"
                        + " server"
                        + " answers that could say how far it must be raised. Raise it above every id in use:"
                        + " distributedid repair photos --above ID");
    }

    @Test
    void aServerThatWouldGiveIdsBelowItsOwnFloorIsRaised() {
        assertRaised(plan(server(0, 2).last(501), server(1, 2).counter(3, 502)), "s2", 502 + 2 * MAX, 4);
        assertRaised(plan(server(0, 2).last(501), server(1, 2).last(500).counter(3, 502)), "s2", 502 + 2 * MAX, 4);
    }

    @Test
    void aFloorBelowTheNextIdProvesNothing() {
        assertThat(plan(server(0, 2).last(501), server(1, 2).last(500).counter(3, 501))
                        .changes())
                .isEmpty();
        assertThat(plan(server(0, 2).last(501), server(1, 2).last(490).slack(10).counter(3, 501))
                        .changes())
                .isEmpty();
        assertThat(plan(server(0, 2).last(1), server(1, 2).counter(1, 1)).changes())
                .as("the first id of the server is 2")
                .isEmpty();
    }

    /** The draw will say that its ids are exhausted. */
    @Test
    void aServerAtTheEndOfItsNumbersIsLeftAsItIs() {
        servers(1);
        for (long last : List.of(Long.MAX_VALUE, Long.MAX_VALUE - 1)) {
            for (CounterMinimum each : List.of(CounterMinimum.NONE, CounterMinimum.NONE.raisedAbove(100))) {
                floor = each;
                Plan plan = plan(server(0, 1).last(last).slack(10).counter(3, last));

                assertThat(plan.changes()).as("last=%s minimum=%s", last, each).isEmpty();
                assertThat(plan.refusals()).isEmpty();
            }
        }
    }

    @Test
    void aWitnessOfAnOlderGenerationMayLieAbove() {
        assertThat(kinds(plan(server(0, 2).last(1).counter(2, 0), server(1, 2).knows(1, 1, 501))))
                .as("handed back")
                .isEmpty();
    }

    @Test
    void aWitnessWithinTheSlackProvesNothing() {
        Plan plan = plan(server(0, 2).last(491).slack(10), server(1, 2).knows(1, 1, 501));

        assertThat(plan.changes()).isEmpty();
        assertThat(kinds(plan(server(0, 2).last(489).slack(10), server(1, 2).knows(1, 1, 501))))
                .containsExactly("raise s1");
        assertThat(kinds(plan(
                        server(0, 2).withoutRow().slack(1_000), server(1, 2).knows(1, 1, 501))))
                .containsExactly("raise s1");
    }

    @Test
    void aServerWithAnOlderGenerationThanItsWitnessIsRaisedUnderANewOne() {
        assertRaised(plan(server(0, 2).last(901), server(1, 2).last(40).knows(1, 5, 501)), "s1", 901 + 2 * MAX, 6);
    }

    @Test
    void aServerWithAnOlderGenerationThanThisProcessKnowsIsRaisedUnderANewOne() {
        history.accept(0, 501, 7);

        assertRaised(plan(server(0, 2).last(901).counter(6, 0), server(1, 2)), "s1", 901 + 2 * MAX, 8);
    }

    @Test
    void aCounterThatCanNotBeRaisedIsRefusedAndTheOtherGoesOn() {
        long end = Long.MAX_VALUE - 2 * MAX;
        history.accept(0, end, 1);
        Plan plan = plan(server(0, 2).last(1), server(1, 2).last(end - 1));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(0);
        assertRefused(
                plan,
                0,
                "A counter must be raised, and no ids are left above: row=photos on s1 id=1, known id=" + end
                        + ". It went back (truncated, restored from a backup, a deleted row?).");
    }

    @Test
    void aCounterIsNotRaisedAboveWhatItsColumnHolds() {
        history.accept(0, 5_001, 1);
        SeenBuilder narrow = server(0, 2).last(1).largest(7_004);

        assertRefused(
                plan(narrow, server(1, 2).last(5_000)),
                0,
                "A counter must be raised, and no ids are left above: row=photos on s1 id=1, known id=5001.");
        assertRaised(plan(narrow.largest(7_005), server(1, 2).last(5_000)), "s1", 5_001 + 2 * MAX, 2);
    }

    @Test
    void aMinimumAboveWhatTheColumnHoldsIsRefused() {
        floor = floor.raisedAbove(101);

        assertRefused(
                plan(server(0, 2).last(1).largest(104), server(1, 2).last(40)),
                0,
                "A counter can't be raised so far: row=photos on s1 above id=101, allowed: up to 100. Give the column"
                        + " id a wider type");
    }

    @Test
    void generationsThatOnlyOthersKnowOfArePassedOver() {
        assertSkips(plan(server(0, 2).last(1), server(1, 2).last(40).knows(1, 1, 501)));
        assertSkips(plan(server(0, 2).identity("replica"), server(1, 2)));
    }

    @Test
    void itStaysRefusedUntilItIsRaisedEvenIfItHasCaughtUp() {
        take(0, 101, 1);
        plan(server(0, 2).last(1));

        assertThat(plan(server(0, 2).last(5_001)).refusals()).containsOnlyKeys(0);
        assertThat(kinds(plan(server(0, 2).last(5_001), server(1, 2).last(40)))).contains("raise s1");
        history.raised(0, true);
        assertThat(plan(server(0, 2).last(7_001).counter(2, 0)).refusals()).isEmpty();
    }

    @Test
    void idsThatThisProcessDrawsWhileItLooksAreNoLoss() {
        Seen earlier = server(0, 2).last(101).build();
        history.judge(earlier);
        take(0, 103, 1);

        Plan plan = Plan.of(new Row("photos"), List.of("s1", "s2"), List.of(earlier), history, distance(), floor);

        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.changes()).isEmpty();
    }

    // Another identity

    @Test
    void aReplicaIsRaisedByTheDistance() {
        Plan plan = plan(
                server(0, 2).last(4_001).identity("replica"),
                server(1, 2).last(4_500).knows(1, 1, 4_001));

        assertRaised(plan, "s1", 4_500 + MAX, 2);
        assertThat(plan.changes().get(0).reason())
                .isEqualTo(
                        "is another server than before (a promoted replica, a restored copy?): identity=replica instead"
                                + " of server 0");
    }

    @Test
    void aReplicaIsRaisedAboveWhatItsWitnessesAndThisProcessKnow() {
        assertRaised(
                plan(
                        server(0, 2).last(401).identity("replica").knows(1, 1, 401),
                        server(1, 2).last(300).knows(1, 1, 501)),
                "s1",
                501 + MAX,
                2);
    }

    @Test
    void aReplicaThatLacksIdsOfThisProcessIsRaisedEvenIfItIsAlone() {
        servers(1);
        take(0, 101, 1);

        assertRaised(plan(server(0, 1).last(100).identity("replica")), "s1", 110 + MAX, 2);
        assertThat(plan(server(0, 1).last(110 + MAX).counter(2, 110 + MAX)).refusals())
                .as("another process was faster")
                .isEmpty();
    }

    @Test
    void aReplicaThatLostIdsThoughItShouldNotWentBack() {
        failover = Failover.LOSSLESS;
        history = newHistory(2);
        take(0, 101, 1);

        assertRaised(
                plan(server(0, 2).last(99).identity("replica"), server(1, 2).last(40)), "s1", 119 + 2 * MAX, 2);
    }

    @Test
    void aReplicaOfASingleServerIsRaised() {
        servers(1);

        assertRaised(plan(server(0, 1).last(400).identity("replica")), "s1", 400 + MAX, 2);
    }

    @Test
    void aReplicaIsRefusedIfSoSet() {
        failover = Failover.REFUSE;

        assertRefused(
                plan(server(0, 2).last(401).identity("replica"), server(1, 2)),
                0,
                "A server was replaced, and may lack the ids that were given last: row=photos on s1 is another"
                        + " server than"
                        + " before (a promoted replica, a restored copy?): identity=replica instead of server 0,"
                        + " distributedid.failover=refuse. To end this, stop the clients and run: distributedid repair");
    }

    @Test
    void aReplicaThatLosesNothingIsAcceptedAsItIs() {
        failover = Failover.LOSSLESS;

        Plan plan = plan(server(0, 2).last(401).identity("replica"), server(1, 2));

        assertRaised(plan, "s1", 0, 2);
        assertThat(plan.changes().get(0).reason()).endsWith("; distributedid.failover=lossless");
    }

    @Test
    void anIdentityThatIsNotToldIsNoOther() {
        assertThat(plan(server(0, 2).identity(""), server(1, 2)).changes()).isEmpty();
    }

    // Distance

    @Test
    void ofTwoServersTheOneThatLiesMuchTooFarAheadIsRefusedAndTheOtherGoesOn() {
        Plan plan = plan(server(0, 2).last(101), server(1, 2).last(102 + MOST));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(1);
        assertRefused(
                plan,
                1,
                "A counter lies so far ahead of the others that it must be wrong: row=photos on s2 id=" + (102 + MOST)
                        + ", others id=101, allowed: " + MOST + " (1000 x distributedid.max_distance).");
    }

    @Test
    void ofThreeServersNobodyFollowsTheOneThatLiesMuchTooFarAhead() {
        servers(3);
        take(0, 1, 1);
        Plan plan = plan(
                server(0, 3).last(301),
                server(1, 3).last(302).knows(3, 1, 9_000_000_000_000_000_000L),
                server(2, 3).last(9_000_000_000_000_000_000L));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(2);
    }

    @Test
    void aServerThatIsAwayForLongStopsNoneOfTheOthers() {
        servers(3);
        history.accept(1, 101, 1);

        Plan one = plan(server(0, 3).last(102 + MOST));
        assertThat(one.changes()).isEmpty();
        assertThat(one.refusals()).isEmpty();

        Plan two = plan(server(0, 3).last(105 + MOST), server(2, 3).last(152 + MOST));
        assertThat(two.changes()).isEmpty();
        assertThat(two.refusals()).isEmpty();
    }

    @Test
    void aServerThatWasAwayForLongIsRaisedByAProcessThatDrewFromTheOther() {
        take(1, 2, 1);
        drawFar();
        long last = history.lastHere(0);

        assertRaised(plan(server(0, 2).last(last), server(1, 2).last(20)), "s2", last, 2);
    }

    /** Draws from the first server until it lies much too far ahead of the second one. */
    private void drawFar() {
        for (long first = 1; first <= 2 * MOST; first += MOST / 2) {
            take(0, first, 1);
        }
    }

    @Test
    void aServerThatWasAwayForLongIsRaisedByAnyProcessIfTheRecordSaysThatTheOtherCameSoFar() {
        raiseBehind = true;

        assertRaised(
                plan(
                        server(0, 2).last(101 + MOST).knows(1, 1, 51 + MOST),
                        server(1, 2).last(20)),
                "s2",
                101 + MOST + 2 * MAX,
                2);
    }

    @Test
    void aLagThatTheRecordsExplainIsMadeUpForByAnyProcessAlsoIfOthersAreRefused() {
        long far = 50 * MAX + 1;
        for (long noted : new long[] {far - MAX, 22 + MAX}) {
            assertRaised(
                    plan(
                            server(0, 2).last(far).knows(1, 1, noted).knows(2, 1, 20),
                            server(1, 2).last(20)),
                    "s2",
                    far + 2 * MAX,
                    2);
        }
    }

    @Test
    void aLagIsRefusedIfNobodyHasNotedHowFarTheServerHadCome() {
        Plan plan = plan(
                server(0, 2).last(50 * MAX + 1).knows(1, 1, 50 * MAX + 1),
                server(1, 2).last(20).knows(2, 1, 20));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(1);
    }

    @Test
    void aLagIsRefusedIfTheOtherHasNotNotedThatItCameSoFar() {
        Plan plan = plan(
                server(0, 2).last(50 * MAX + 1).knows(1, 1, 21 + MAX).knows(2, 1, 20),
                server(1, 2).last(22));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(1);
    }

    @Test
    void aServerWhoseOwnRecordDoesNotSayThatItCameSoFarIsRefused() {
        SeenBuilder wrong = server(1, 2).last(102 + MOST).knows(2, 1, 100);
        assertThat(plan(server(0, 2).last(101), wrong).refusals()).containsOnlyKeys(1);

        assertThat(plan(wrong).refusals()).as("the other is away for a moment").containsOnlyKeys(1);
    }

    @Test
    void aServerThatAnswersAloneIsComparedWithItsOwnRecord() {
        Plan plan = plan(server(1, 2).last(102 + MOST).knows(2, 1, 100));

        assertThat(plan.changes()).isEmpty();
        assertRefused(
                plan,
                1,
                "A counter lies so far ahead of its own record that it must be wrong: row=photos on s2 id="
                        + (102 + MOST) + ", record id=100, allowed: " + MOST
                        + " (1000 x distributedid.max_distance). If its ids are in use,"
                        + " raise the others above them: distributedid repair photos --above " + (102 + MOST));
        assertThat(plan(server(1, 2).last(100 + MOST).knows(2, 1, 100)).refusals())
                .isEmpty();
    }

    /** Other programs draw from the tables, and write no record. */
    @Test
    void serversThatLieNearEachOtherAreUsedHoweverFarTheyAreFromTheirRecords() {
        for (long ahead : new long[] {2 * MOST, 1L << 60}) {
            history = newHistory(2);
            Plan plan = plan(
                    server(0, 2).last(101 + ahead).knows(1, 1, 101),
                    server(1, 2).last(102 + ahead).knows(2, 1, 102));

            assertThat(plan.refusals()).isEmpty();
            assertThat(plan.changes()).isEmpty();
        }
    }

    @Test
    void aServerNearOneWhoseRecordSaysThatItCameSoFarIsUsed() {
        servers(3);
        Plan plan = plan(
                server(0, 3).last(101 + 2 * MOST).knows(1, 1, 101),
                server(1, 3).last(102 + 2 * MOST).knows(2, 1, 102 + 2 * MOST).knows(3, 1, 102),
                server(2, 3).last(102));

        assertThat(plan.refusals()).isEmpty();
        assertThat(plan.changes()).extracting(change -> change.seen().label()).containsExactly("s3");
    }

    /** The ids went on above those of another generator. */
    @Test
    void aServerThatAnswersAloneIsComparedWithItsOwnRecordAlsoIfItsIdsAreLarge() {
        long floor = 1_900_000_000_000_000_000L;
        long last = floor + 2 * MOST;

        assertThat(plan(server(1, 2).last(last).counter(1, floor).knows(2, 1, last - 2))
                        .refusals())
                .isEmpty();
        assertRefused(
                plan(server(1, 2).last(last + 2 * MOST).counter(1, floor).knows(2, 1, last)),
                1,
                "A counter lies so far ahead of its own record that it must be wrong: row=photos on s2 id="
                        + (last + 2 * MOST) + ", record id=" + last + ", allowed: " + MOST);
    }

    @Test
    void theMessageNamesTheIdThatTheServerWasComparedWith() {
        history.accept(0, 101, 1);
        assertRefused(
                plan(server(1, 2).last(2 * MOST + 2).knows(2, 1, 500)),
                1,
                "A counter lies so far ahead of its own record that it must be wrong: row=photos on s2 id="
                        + (2 * MOST + 2) + ", record id=500, allowed: " + MOST);
    }

    /** Other programs may draw from a table on one server, and write no record. */
    @Test
    void theOnlyServerOfAListIsNotComparedWithItsOwnRecord() {
        servers(1);
        assertThat(plan(server(0, 1).last(102 + MOST).knows(1, 1, 100)).refusals())
                .isEmpty();
    }

    @Test
    void aWrongValueIsForgottenOnceTheCounterIsSetRight() {
        take(0, 1, 1);
        take(1, 2, 1);
        assertThat(plan(server(0, 2).last(19), server(1, 2).last(5 * MOST)).refusals())
                .containsOnlyKeys(1);
        assertThat(plan(server(0, 2).last(19), server(1, 2).last(20)).refusals())
                .isEmpty();

        assertRaised(plan(server(0, 2).last(19), server(1, 2).last(18)), "s2", 20 + 2 * MAX, 2);
    }

    @Test
    void aWrongValueIsNotNotedWhereAnotherServerIsRaised() {
        SeenBuilder odd = server(0, 2).last(2_001).knows(1, 1, 1_001).knows(2, 1, 2_000);
        SeenBuilder even = server(1, 2).knows(1, 1, 1_001).knows(2, 1, 2_000);

        Plan wrong = plan(odd.identity("replica"), even.last(5 * MOST));

        assertRaised(wrong, "s1", 2_001 + MAX, 2);
        assertThat(wrong.changes().get(0).notes()).isEmpty();
        assertThat(wrong.refusals()).containsOnlyKeys(1);
        long raised = 2_003 + MAX;
        Plan right = plan(
                server(0, 2)
                        .last(raised)
                        .counter(wrong.changes().get(0).generation(), raised)
                        .knows(2, 1, 2_000),
                even.last(2_002 + 2 * MAX / 3));
        assertThat(right.changes()).isEmpty();
        assertThat(right.refusals()).isEmpty();
    }

    @Test
    void aWrongValueIsNotNotedWhereTheMinimumRaisesAnotherServer() {
        floor = CounterMinimum.NONE.raisedAbove(100);

        Plan plan = plan(server(0, 2).last(1), server(1, 2).last(5 * MOST));

        assertRaised(plan, "s1", 100, 2);
        assertThat(plan.changes().get(0).notes()).isEmpty();
    }

    @Test
    void theMarkOfAServerThatIsRefusedStaysUntilItIsSetRight() {
        SeenBuilder marker = server(0, 2).last(501).knowsNotCreated(2);
        for (SeenBuilder wrong : List.of(server(1, 2), server(1, 2).withoutCounter())) {
            Plan plan = plan(marker, wrong.last(5 * MOST));

            assertThat(plan.changes()).isEmpty();
            assertThat(plan.refusals()).containsOnlyKeys(1);
        }
        assertThat(kinds(plan(marker, server(1, 2).last(502)))).containsExactly("witness s1");
    }

    @Test
    void aServerThatWasRaisedFarAboveAMinimumIsFollowed() {
        floor = CounterMinimum.NONE.raisedAbove(50 * MOST);
        assertIsFollowed();
    }

    @Test
    void aServerThatWasRaisedFarIsFollowedAlsoByAProcessWithoutTheMinimum() {
        assertIsFollowed();
    }

    private void assertIsFollowed() {
        Plan plan = plan(server(0, 2).last(50 * MOST + 1).counter(2, 50 * MOST).knows(2, 1, 0), server(1, 2));

        assertThat(plan.refusals()).isEmpty();
        assertRaised(plan, "s2", 50 * MOST + 1, 2);
    }

    @Test
    void aReplicaThatLiesMuchTooFarAheadIsRefusedAndNotRaised() {
        Plan plan = plan(server(0, 2).last(101), server(1, 2).last(102 + MOST).identity("replica"));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(1);
    }

    @Test
    void aServerIsNotRaisedToANoteThatLiesMuchTooFarAhead() {
        for (long ahead : new long[] {103 + MOST, Long.MAX_VALUE - 1}) {
            for (SeenBuilder noted : List.of(
                    server(1, 2).last(102),
                    server(1, 2).last(102).identity("replica"),
                    server(1, 2).last(102).counter(2, 0).identity("replica"))) {
                Plan plan = plan(server(0, 2).last(101).knows(2, 1, ahead), noted);

                assertThat(plan.changes()).isEmpty();
                assertThat(plan.refusals()).containsOnlyKeys(1);
                assertRefused(
                        plan,
                        1,
                        "A record notes an id so far ahead of all counters that it may be wrong: row=photos on s1 notes"
                                + " id=" + ahead
                                + " of the server with offset=2, counters id=102. Say the largest id in"
                                + " use: distributedid repair photos --above ID, allowed: 102 or more");
            }
        }
    }

    @Test
    void aNoteIsFollowedAsFarAsAnyCounterMayHaveCome() {
        long ahead = 102 + MOST;
        assertRaised(
                plan(server(0, 2).last(101).knows(2, 1, ahead), server(1, 2).last(102)), "s2", ahead + 2 * MAX, 2);

        assertThat(plan(
                                server(0, 2).last(101).knows(2, 1, ahead + MOST).counter(1, ahead),
                                server(1, 2).last(102))
                        .refusals())
                .as("the floor of the other server shows how far the counters came")
                .isEmpty();
        assertThat(plan(
                                server(0, 2).last(101).knows(2, 1, ahead + MOST),
                                server(1, 2).last(102).knows(2, 1, ahead))
                        .refusals())
                .as("clients drew so far")
                .isEmpty();
    }

    @Test
    void aServerThatWentBackIsNotRaisedToOneThatLiesMuchTooFarAhead() {
        servers(3);
        Plan plan = plan(
                server(0, 3).last(1),
                server(1, 3).last(302).knows(1, 1, 301),
                server(2, 3).last(9_000_000_000_000_000_000L).knows(3, 1, 9_000_000_000_000_000_000L));

        assertRaised(plan, "s1", 302 + 2 * MAX, 2);
        assertThat(plan.refusals()).containsOnlyKeys(2);
    }

    @Test
    void aLagUpToTheDistanceNeedsNoExplanation() {
        assertThat(plan(server(0, 2).last(1 + MAX), server(1, 2).last(2)).changes())
                .isEmpty();
    }

    @Test
    void aLagThatNobodyExplainsIsRefused() {
        Plan plan = plan(server(0, 2).last(3 + MAX), server(1, 2).last(2));

        assertThat(plan.changes()).isEmpty();
        assertRefused(
                plan,
                1,
                "A server is too far behind the others: row=photos on s2 id=2, where another is at id=1003, allowed:"
                        + " distributedid.max_distance=1000. If it was only down, set behind=raise.");
    }

    @Test
    void aLagBehindARaiseThatIsOnRecordIsMadeUpForByAnyProcess() {
        Plan plan = plan(
                server(0, 2).last(7_001).counter(3, 6_801).knows(2, 1, 20),
                server(1, 2).last(22).counter(1, 0));

        assertRaised(plan, "s2", 7_001, 2);
    }

    /** A hand-back gives the counter a new generation, which is not noted on the other server yet. */
    @Test
    void aLagBehindARaiseIsMadeUpForAlsoIfIdsWereHandedBackSince() {
        Plan plan = plan(
                server(0, 2).last(7_001).counter(3, 6_801).knows(2, 1, 42),
                server(1, 2).last(22).counter(2, 0));

        assertRaised(plan, "s2", 7_001, 3);
    }

    @Test
    void aLagBehindARaiseIsRefusedIfNobodyHasNotedHowFarTheServerHadCome() {
        Plan plan = plan(
                server(0, 2).last(7_001).counter(3, 6_801),
                server(1, 2).last(22).counter(1, 0));

        assertThat(plan.changes()).isEmpty();
        assertThat(plan.refusals()).containsOnlyKeys(1);
    }

    @Test
    void aLagThatNobodyExplainsIsRaisedFarIfSoSet() {
        raiseBehind = true;

        assertRaised(plan(server(0, 2).last(3 + MAX), server(1, 2).last(2)), "s2", 3 + 3 * MAX, 2);
    }

    @Test
    void aServerThatGaveThisProcessIdsIsRaisedToTheOthers() {
        take(1, 2, 1);

        assertRaised(plan(server(0, 2).last(5_001), server(1, 2).last(20)), "s2", 5_001, 2);
    }

    // Minimum

    @Test
    void aCounterBelowWhatWasAskedForIsRaisedInSilence() {
        floor = CounterMinimum.NONE.raisedAbove(100);

        Plan plan = plan(server(0, 2).last(97), server(1, 2).last(100));

        assertThat(kinds(plan)).containsExactly("raise s1", "floor s2");
        assertThat(plan.changes()).extracting(Change::value).containsOnly(100L);
        assertThat(plan.changes().get(0).reason()).isEmpty();
        assertThat(plan.changes().get(0).notes()).containsExactly(Map.entry(2L, new Witness(1, 100)));
    }

    @Test
    void aCounterWhoseNextIdExistsIsRefused() {
        floor = CounterMinimum.NONE.withExisting(101, 2);

        Plan plan = plan(server(0, 2).last(99), server(1, 2).last(2));

        assertThat(plan.refusals()).containsOnlyKeys(0);
        assertRefused(
                plan,
                0,
                "A counter would give ids that exist: row=photos on s1 id=99, but there is an id 101 already. Set"
                        + " distributedid.existing_ids=raise, or raise it: distributedid raise photos --above 101"
                        + ". If it was lost or set back, ids beyond may be in memory: distributedid repair photos --above 101");
    }

    @Test
    void aPassedCheckIsRecordedOnce() {
        floor = CounterMinimum.NONE.withExisting(101, 2);

        assertThat(plan(server(0, 2).last(101), server(1, 2)).changes())
                .singleElement()
                .extracting(Change::value)
                .isEqualTo(101L);
        assertThat(plan(server(0, 2).last(101).counter(1, 101), server(1, 2)).changes())
                .isEmpty();
    }

    private void servers(int count) {
        servers = count;
        history = newHistory(count);
    }

    private CounterHistory newHistory(int count) {
        return new CounterHistory(count, distance());
    }

    private DriftLimit distance() {
        return new DriftLimit(MAX, raiseBehind, "behind", failover);
    }

    private void take(int place, long first, long generation) {
        assertThat(history.isGood(place, new Block(first, servers, servers == 1 ? 10 : 10), generation))
                .isTrue();
    }

    private static SeenBuilder newCounter(int place) {
        return server(place, 2).withoutCounter().withoutRow();
    }

    private Plan plan(SeenBuilder... looks) {
        List<Seen> answers = Stream.of(looks).map(SeenBuilder::build).toList();
        answers.forEach(history::judge);
        List<String> labels =
                IntStream.rangeClosed(1, servers).mapToObj(place -> "s" + place).toList();
        return Plan.of(new Row("photos"), labels, answers, history, distance(), floor);
    }

    private void assertLostClaim(String label, SeenBuilder... looks) {
        assertThatThrownBy(() -> plan(looks))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A server has lost its counters, or another has taken its place: row=photos on "
                        + label + " has no claim, ");
    }

    private static void assertRaised(Plan plan, String label, long above, long generation) {
        assertThat(plan.changes())
                .singleElement()
                .satisfies(change -> assertThat(List.of(
                                change.kind(),
                                change.seen().label(),
                                change.value(),
                                change.generation() % Plan.LOST_GENERATIONS))
                        .isEqualTo(List.of(Change.Kind.RAISE, label, above, generation)));
    }

    /** A server that lost ids skips many generations. */
    private static void assertSkips(Plan plan) {
        assertThat(plan.changes()).extracting(Change::generation).allMatch(is -> is > Plan.LOST_GENERATIONS);
    }

    private static void assertRefused(Plan plan, int place, String message) {
        assertThat(plan.refusals().get(place)).hasMessageStartingWith(message);
    }

    private static List<String> kinds(Plan plan) {
        return plan.changes().stream()
                .map(change -> change.kind().name().toLowerCase(Locale.ROOT) + " "
                        + change.seen().label())
                .toList();
    }
}
