package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.internal.lease.LeaseProtocol.Rule;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each bound to the last value before it and the first beyond. Models explore the protocol as a whole. */
class LeaseProtocolTest {

    private static final String NAME = "@worker/7";

    private static final long LEASE = 1_000;

    /** The holder stops a hundredth of the lease before its end. */
    private static final long USED = 990;

    private static final long BOUND = 5_000;

    private static final LeaseProtocol WINDOWS = new LeaseProtocol(Rule.WINDOW_OVER, LEASE);

    private static final LeaseProtocol ORDER = new LeaseProtocol(Rule.UNCHANGED, LEASE);

    private static final Row FREE =
            Change.create(NAME, "free", 0, Row.State.NONE, Fields.NONE).next();

    private static final Version HEADER = FREE.version();

    private static LeaseState claiming(LeaseProtocol protocol) {
        return LeaseState.EMPTY.sending(protocol.claim(FREE, HEADER, 0, BOUND, "me", "claim", 0));
    }

    /** A right since 0, up to {@link #BOUND}. */
    private static LeaseState holding(LeaseProtocol protocol) {
        LeaseState claimed = protocol.done(claiming(protocol), 10, 10);
        Row row = held(claimed).row();
        return protocol.read(claimed, Map.of(NAME, row), HEADER, 20, 20);
    }

    private static Lease held(LeaseState state) {
        return Objects.requireNonNull(state.held());
    }

    private static LeaseState renewing(LeaseProtocol protocol, LeaseState state) {
        return state.sending(protocol.renew(held(state), HEADER, 0, 2 * BOUND, "me", "renewal", 500));
    }

    @Test
    void aLeaseIsLongEnoughForItsMargin() {
        assertThat(new LeaseProtocol(Rule.UNCHANGED, 100).lease()).isEqualTo(100);
        assertThatThrownBy(() -> new LeaseProtocol(Rule.UNCHANGED, 99))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("A lease lasts for 100 ns or more: lease=99");
    }

    @Test
    void aRightIsUsedUntilTheMarginBeforeItsEnd() {
        Lease held = held(holding(WINDOWS));

        assertThat(WINDOWS.isUsable(held, USED - 1)).isTrue();
        assertThat(WINDOWS.isUsable(held, USED)).isFalse();
    }

    @Test
    void aWindowLastsByBothClocksAnOrderByTheMonotonicOne() {
        Lease window = held(holding(WINDOWS));
        assertThat(WINDOWS.lasts(window, BOUND - 1, USED - 1)).isTrue();
        assertThat(WINDOWS.lasts(window, BOUND, USED - 1)).isFalse();
        assertThat(WINDOWS.lasts(window, BOUND - 1, USED)).isFalse();

        Lease order = held(holding(ORDER));
        assertThat(ORDER.lasts(order, BOUND, USED - 1)).isTrue();
        assertThat(ORDER.lasts(order, 0, USED)).isFalse();
    }

    @Test
    void aRenewalCountsIfItWasAnsweredInTime() {
        LeaseState renewing = renewing(WINDOWS, holding(WINDOWS));

        assertThat(held(WINDOWS.done(renewing, BOUND - 1, USED - 1)).isConfirmed())
                .isTrue();
        assertThat(held(WINDOWS.done(renewing, BOUND, USED - 1)).isConfirmed()).isFalse();
        assertThat(held(WINDOWS.done(renewing, BOUND - 1, USED)).isConfirmed()).isFalse();
    }

    @Test
    void aRightThatIsOverIsToBeClaimedAnew() {
        LeaseState holding = holding(WINDOWS);
        Map<String, Row> rows = Map.of(NAME, held(holding).row());

        assertThat(held(WINDOWS.read(holding, rows, HEADER, BOUND - 1, USED - 1))
                        .isConfirmed())
                .isTrue();
        assertThat(held(WINDOWS.read(holding, rows, HEADER, BOUND, USED)).isConfirmed())
                .isFalse();
    }

    @Test
    void aRequestIsKeptWhileItsRowIsAsItExpects() {
        LeaseState claiming = claiming(WINDOWS);
        Row other = Change.replace(FREE, "other", BOUND, Row.State.NONE, WINDOWS.text("other"))
                .next();

        assertThat(WINDOWS.read(claiming, Map.of(NAME, FREE), HEADER, 20, 20).sent())
                .isEqualTo(claiming.sent());
        assertThat(WINDOWS.read(claiming, Map.of(NAME, other), HEADER, 20, 20).sent())
                .isNull();
        assertThat(WINDOWS.read(LeaseState.EMPTY, Map.of(NAME, FREE), HEADER, 20, 20)
                        .sent())
                .isNull();
        LeaseState renewing = renewing(WINDOWS, holding(WINDOWS));
        assertThat(WINDOWS.read(renewing, Map.of(NAME, held(renewing).row()), HEADER, 20, 20)
                        .sent())
                .isEqualTo(renewing.sent());
    }

    @Test
    void onlyAClaimOfAWindowThatIsOverIsGivenUp() {
        assertThat(WINDOWS.isRepeated(LeaseState.EMPTY, 0)).isFalse();
        assertThat(ORDER.isRepeated(LeaseState.EMPTY, 0)).isFalse();
        assertThat(WINDOWS.isRepeated(claiming(WINDOWS), BOUND - 1)).isTrue();
        assertThat(WINDOWS.isRepeated(claiming(WINDOWS), BOUND)).isFalse();
        assertThat(ORDER.isRepeated(claiming(ORDER), BOUND)).isTrue();
        assertThat(WINDOWS.isRepeated(renewing(WINDOWS, holding(WINDOWS)), 3 * BOUND))
                .isTrue();
    }

    @Test
    void aWindowIsClaimedOnceItIsOver() {
        Row held = held(holding(WINDOWS)).row();

        assertThat(WINDOWS.mayClaim(LeaseState.EMPTY, held, BOUND - 1, 0)).isFalse();
        assertThat(WINDOWS.mayClaim(LeaseState.EMPTY, held, BOUND, 0)).isTrue();
    }

    /** Its new holder waits for the rest. */
    @Test
    void aWindowThatWasHandedBackIsClaimedASecondBefore() {
        Row back =
                Change.create(NAME, "back", BOUND, Row.State.NONE, Fields.NONE).next();

        assertThat(WINDOWS.mayClaim(LeaseState.EMPTY, back, BOUND - 1_001, 0)).isFalse();
        assertThat(WINDOWS.mayClaim(LeaseState.EMPTY, back, BOUND - 1_000, 0)).isTrue();
        assertThat(ORDER.mayClaim(LeaseState.EMPTY, back, 0, 0)).isTrue();
    }

    @Test
    void anOrderIsClaimedOnceItsRowWasSeenUnchangedForTheLeaseAndAHundredth() {
        Row held = held(holding(ORDER)).row();
        LeaseState watching = ORDER.watch(LeaseState.EMPTY, held, 100);
        Row renewed = Change.replace(held, "renewed", BOUND, Row.State.NONE, ORDER.text("other"))
                .next();

        assertThat(ORDER.mayClaim(LeaseState.EMPTY, held, 0, 9_999)).isFalse();
        assertThat(ORDER.mayClaim(watching, held, 0, 100 + 1_009)).isFalse();
        assertThat(ORDER.mayClaim(watching, held, 0, 100 + 1_010)).isTrue();
        assertThat(ORDER.mayClaim(watching, renewed, 0, 100 + 1_010)).isFalse();
    }
}
