package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which window of which number {@link LeaseProtocol} asks for, and what it gives up, case by case. */
class LeaseChoiceTest {

    private static final long NOW = 1_000_000;

    private static final long WINDOW = 10_000;

    private final LeaseProtocol protocol = new LeaseProtocol(WINDOW, 10, 200_000, false);

    private final LeaseProtocol singleUse = new LeaseProtocol(WINDOW, 10, 200_000, true);

    @Test
    void theFirstNumberIsTheLowestOne() {
        assertThat(first(protocol))
                .isEqualTo(new LeaseRequest(null, new WorkerRow(10, "A", NOW + WINDOW, "token"), NOW));
    }

    @Test
    void aWindowForOneUseHasNoEnd() {
        assertThat(first(singleUse))
                .isEqualTo(new LeaseRequest(null, new WorkerRow(10, "A", Long.MAX_VALUE, "token"), NOW));
    }

    @ParameterizedTest(name = "reserved until {0} ms from now, handed back: {1}: number {2} from {3}")
    @CsvSource({
        "0, false, 10, 0",
        "1, false, 11, 0",
        "-5, false, 10, 0",
        "1000, true, 10, 1000",
        "1001, true, 11, 0",
        "-5, true, 10, 0"
    })
    void aNumberIsFreeWhenItsTimeIsOverOrSoonAfterAHandBack(long until, boolean handedBack, long number, long from) {
        WorkerRow row = new WorkerRow(10, handedBack ? "" : "B", NOW + until, "of B");

        LeaseRequest request =
                request(protocol, LeaseState.EMPTY, snapshot(NOW, row), 0, 0).orElseThrow();

        assertThat(request.expected()).isEqualTo(number == 10 ? row : null);
        assertThat(request.next()).isEqualTo(new WorkerRow(number, "A", NOW + from + WINDOW, "token"));
        assertThat(request.from()).isEqualTo(NOW + from);
    }

    @Test
    void theTimeIsOverOnceTheStoreAndTheProcessSaySo() {
        WorkerRow row = new WorkerRow(10, "B", NOW - 1, "of B");

        assertThat(request(protocol, LeaseState.EMPTY, snapshot(NOW - 2, row), 0, 0))
                .as("by the store it is not")
                .map(request -> request.next().worker())
                .contains(11L);
        assertThat(protocol.request(LeaseState.EMPTY, snapshot(NOW, row), NOW - 2, "A", "token", 0, 0))
                .as("by the process it is not")
                .map(request -> request.next().worker())
                .contains(11L);
    }

    @Test
    void withoutAFreeNumberThereIsNoRequest() {
        LeaseProtocol two = new LeaseProtocol(WINDOW, 0, 1, false);
        StoreSnapshot taken =
                snapshot(NOW, new WorkerRow(0, "B", NOW + 1, "of B"), new WorkerRow(1, "C", NOW + 1, "of C"));

        assertThat(request(two, LeaseState.EMPTY, taken, 0, 0)).isEmpty();
    }

    @ParameterizedTest(name = "after {0} failures it chooses among {1}")
    @CsvSource({"0, 1", "1, 4", "2, 16", "8, 65536", "9, 65536"})
    void whoLosesTheRaceChoosesAmongMore(int failures, int choice) {
        assertThat(chosen(protocol, failures, choice - 1)).isEqualTo(10 + choice - 1);
        assertThat(chosen(protocol, failures, choice)).isEqualTo(10);
    }

    @Test
    void numbersForOneUseAreNotSkipped() {
        assertThat(chosen(singleUse, 3, 7)).isEqualTo(10);
    }

    @Test
    void aNumberForOneUseIsNeverTakenAgain() {
        WorkerRow over = new WorkerRow(10, "", NOW - 1_000_000, "of B");

        assertThat(request(singleUse, LeaseState.EMPTY, snapshot(NOW, over), 0, 0))
                .map(request -> request.next().worker())
                .contains(11L);
    }

    @Test
    void numbersForOneUseLieAboveAllBefore() {
        LeaseProtocol later = singleUse.withBurnt(new BurntNumbers(20, 5_000));
        assertThat(singleUse.lowestToRead()).isEqualTo(10);
        assertThat(later.lowestToRead()).isEqualTo(5_001);
        assertThat(singleUse.withBurnt(new BurntNumbers(3, 5)).lowestToRead()).isEqualTo(10);
        WorkerRow leased = new WorkerRow(5_001, "B", 0, "of B");
        assertThat(request(later, LeaseState.EMPTY, snapshot(NOW, leased), 0, 0))
                .map(request -> request.next().worker())
                .contains(5_002L);
        WorkerRow burnt = new WorkerRow(5_003, "B", Long.MAX_VALUE, "of B");
        assertThat(request(later, LeaseState.EMPTY, snapshot(NOW, leased, burnt), 0, 0))
                .map(request -> request.next().worker())
                .contains(5_004L);
    }

    @Test
    void aBurntNumberIsLeasedOnlyIfItHasARow() {
        LeaseProtocol later = protocol.withBurnt(new BurntNumbers(10, 20));
        WorkerRow leased = new WorkerRow(12, "B", 0, "of B");

        assertThat(request(later, LeaseState.EMPTY, snapshot(NOW, leased), 0, 0))
                .map(request -> request.next().worker())
                .contains(12L);
        assertThat(request(later, LeaseState.EMPTY, snapshot(NOW), 0, 0))
                .map(request -> request.next().worker())
                .contains(21L);
    }

    @ParameterizedTest(name = "{0} ms before the end: {1}")
    @CsvSource({"5001, false", "5000, true", "-1, true"})
    void aWindowIsRenewedWhenHalfOfItIsOver(long left, boolean due) {
        LeaseState state = held(NOW + left, NOW - WINDOW);

        assertThat(protocol.isDue(state, NOW)).isEqualTo(due);
        assertThat(protocol.isDue(LeaseState.EMPTY, NOW)).isTrue();
    }

    @Test
    void aRenewedWindowBeginsWhereItBeganAndNeverEndsEarlier() {
        LeaseState state = held(NOW + 5_000, NOW - 7);
        WorkerRow row = row(state);

        assertThat(request(protocol, state, snapshot(NOW, row), 0, 0))
                .contains(new LeaseRequest(row, new WorkerRow(12, "A", NOW + WINDOW, "token"), NOW - 7));
        assertThat(protocol.renewal(state.held(), NOW - 50_000, "token").next().reservedUntil())
                .as("by a clock that went back")
                .isEqualTo(NOW + 5_000);
    }

    @Test
    void aRequestWithoutAnAnswerIsRepeatedUnchanged() {
        LeaseState state = held(NOW + 5_000, NOW);
        LeaseRequest lost = protocol.renewal(state.held(), NOW, "lost");

        assertThat(request(protocol, state.sending(lost), snapshot(NOW, row(state)), 0, 0))
                .containsSame(lost);
    }

    @Test
    void aFirstRequestWithoutAnAnswerIsRepeatedUntilItsWindowIsOver() {
        LeaseState state = LeaseState.EMPTY.sending(first(protocol));
        long until = NOW + WINDOW;

        assertThat(protocol.request(state, snapshot(until), until - 1, "A", "token", 3, 7))
                .contains(state.sent());
        assertThat(protocol.request(state, snapshot(until - 1), until, "A", "token", 3, 7))
                .contains(state.sent());
        assertThat(protocol.request(state, snapshot(until), until, "A", "token", 0, 0))
                .map(LeaseRequest::from)
                .contains(until);
    }

    @Test
    void aRequestThatWasRefusedMayHaveBeenDoneBeforeUntilAReadTells() {
        LeaseRequest sent = first(protocol);
        LeaseState refused = LeaseState.EMPTY.sending(sent).answered(false);

        assertThat(LeaseProtocol.recover(refused, snapshot(NOW, sent.next())).held())
                .isEqualTo(new Grant(sent.next(), NOW));
        assertThat(LeaseProtocol.recover(refused, snapshot(NOW, new WorkerRow(10, "B", NOW, "of B"))))
                .isEqualTo(LeaseState.EMPTY);
        assertThat(LeaseProtocol.recover(refused, snapshot(NOW))).isEqualTo(refused);
    }

    @Test
    void aHandBackGivesUpWhatIsLeftButNoTimeBeforeTheWindow() {
        LeaseState state = held(NOW + 5_000, NOW);
        WorkerRow row = row(state);

        assertThat(protocol.handBack(state, NOW + 4_999, "token"))
                .contains(new LeaseRequest(row, new WorkerRow(12, "", NOW + 4_999, "token"), NOW + 4_999));
        assertThat(protocol.handBack(state, NOW - 1, "token"))
                .contains(new LeaseRequest(row, new WorkerRow(12, "", NOW, "token"), NOW));
        assertThat(protocol.handBack(state, NOW + 5_000, "token"))
                .as("nothing is left")
                .isEmpty();
        assertThat(protocol.handBack(LeaseState.EMPTY, NOW, "token")).isEmpty();
        assertThat(singleUse.handBack(state, NOW, "token")).isEmpty();
    }

    @Test
    void aStoreHasForgottenAWindowThatItReservesNoMore() {
        Grant held = held(NOW + 5_000, NOW).held();

        assertThat(LeaseProtocol.isForgotten(held, null)).isTrue();
        assertThat(LeaseProtocol.isForgotten(held, new WorkerRow(12, "B", NOW + 4_999, "of B")))
                .isTrue();
        assertThat(LeaseProtocol.isForgotten(held, new WorkerRow(12, "B", NOW + 5_000, "of B")))
                .isFalse();
    }

    @Test
    void anotherRowInItsPlaceEndsATenureAndItsOwnLateOneGoesOn() {
        LeaseState state = held(NOW + 5_000, NOW);
        LeaseRequest sent = protocol.renewal(state.held(), NOW, "lost");

        assertThat(LeaseProtocol.recover(state, snapshot(NOW, row(state)))).isEqualTo(state);
        assertThat(LeaseProtocol.recover(state, snapshot(NOW, new WorkerRow(12, "B", NOW, "of B"))))
                .isEqualTo(LeaseState.EMPTY);
        assertThat(LeaseProtocol.recover(state, snapshot(NOW))).isEqualTo(LeaseState.EMPTY);
        assertThat(LeaseProtocol.recover(state.sending(sent), snapshot(NOW, sent.next())))
                .isEqualTo(new LeaseState(new Grant(sent.next(), NOW), null));
        assertThat(LeaseProtocol.recover(state.sending(sent), snapshot(NOW, row(state))))
                .isEqualTo(state.sending(sent));
    }

    @Test
    void anotherWindowChangesNothingElse() {
        assertThat(protocol.withWindow(WINDOW)).isSameAs(protocol);
        assertThat(singleUse.withWindow(5)).isEqualTo(new LeaseProtocol(5, 10, 200_000, true));
    }

    private static LeaseRequest first(LeaseProtocol protocol) {
        return request(protocol, LeaseState.EMPTY, snapshot(NOW), 0, 0).orElseThrow();
    }

    private static long chosen(LeaseProtocol protocol, int failures, int random) {
        return request(protocol, LeaseState.EMPTY, snapshot(NOW), failures, random)
                .orElseThrow()
                .next()
                .worker();
    }

    private static Optional<LeaseRequest> request(
            LeaseProtocol protocol, LeaseState state, StoreSnapshot snapshot, int failures, int random) {
        return protocol.request(state, snapshot, NOW, "A", "token", failures, random);
    }

    private static LeaseState held(long until, long from) {
        return new LeaseState(new Grant(new WorkerRow(12, "A", until, "held"), from), null);
    }

    private static WorkerRow row(LeaseState state) {
        return state.held().row();
    }

    private static StoreSnapshot snapshot(long storeTime, WorkerRow... rows) {
        return new StoreSnapshot(List.of(rows), storeTime, null);
    }
}
