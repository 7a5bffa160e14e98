package io.distributedid.internal.tenure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.tenure.FakeTenureStore.Answer;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class TenureClientTest {

    private static final long LEASE = TimeUnit.SECONDS.toNanos(5);

    private static final long HUNDREDTH = LEASE / 100;

    private final FakeTenureStore.Row row = new FakeTenureStore.Row();

    private final Node first = new Node("first", LEASE);

    private final Node second = new Node("second", LEASE);

    private int tokens;

    /** A process with a clock of its own. */
    private final class Node {

        private final FakeTenureStore store = new FakeTenureStore(row);

        private final TenureClient client;

        private long nanos;

        Node(String name, long lease) {
            nanos = name.hashCode() * 1_000_000_000L;
            client = new TenureClient(
                    store, new TenureProtocol(lease), () -> nanos, () -> Integer.toString(++tokens), name);
        }

        void step() throws Exception {
            client.step(false);
        }

        void pass(long by) {
            nanos += by;
        }

        Term held() {
            return client.state().held();
        }

        boolean isActive() {
            Term held = held();
            return held != null && held.isValid(nanos);
        }
    }

    @Test
    void aRowThatNeverWasIsTakenAtOnce() throws Exception {
        first.step();

        assertThat(first.held().from()).isZero();
        assertThat(first.held().bound()).isEqualTo(1_000);
        assertThat(row.content()).isEqualTo(new TenureRow("first", 1_000, LEASE, "1"));
        assertThat(first.client.takeovers()).isEqualTo(1);
    }

    @Test
    void theTermCountsFromBeforeTheRequestWasSentAndEndsBeforeTheLease() throws Exception {
        first.store.beforeAnswer(() -> first.pass(LEASE / 4));
        long began = first.nanos;
        first.step();

        // The row was read first, which took a quarter of a lease.
        assertThat(first.held().end()).isEqualTo(began + LEASE / 4 + LEASE - HUNDREDTH);
        first.store.beforeAnswer(() -> {});
        first.pass(LEASE * 3 / 4 - HUNDREDTH - 1);
        assertThat(first.isActive()).isTrue();
        first.pass(1);
        assertThat(first.isActive()).isFalse();
    }

    @Test
    void theOwnerRenewsAtAThirdOfTheLeaseWithoutARead() throws Exception {
        first.step();
        int reads = first.store.reads();
        Term before = first.held();
        first.pass(LEASE / 3 - 1);
        first.step();
        assertThat(first.held()).isSameAs(before);
        assertThat(first.client.pauseNanos()).isEqualTo(1);
        first.pass(1);
        first.store.room(2_000);
        first.step();

        assertThat(first.held().end()).isEqualTo(before.end() + LEASE / 3);
        assertThat(first.held().from()).isZero();
        assertThat(first.held().bound()).isEqualTo(2_000);
        assertThat(first.store.reads()).isEqualTo(reads);
        assertThat(first.client.takeovers()).isEqualTo(1);
    }

    @Test
    void theBoundOfARenewalIsNeverLower() throws Exception {
        first.step();
        first.store.room(10);
        first.client.step(true);

        assertThat(first.held().bound()).isEqualTo(1_000);
    }

    @Test
    void aClaimantWaitsForAWholeLeaseAndAHundredthSinceItHasReadTheRow() throws Exception {
        first.step();
        second.store.beforeAnswer(() -> second.pass(LEASE));
        second.step();
        second.store.beforeAnswer(() -> {});
        assertThat(second.held()).isNull();
        second.pass(LEASE + HUNDREDTH - 1);
        second.step();
        assertThat(second.held()).isNull();
        assertThat(second.client.pauseNanos()).isEqualTo(1);
        second.pass(1);
        second.step();

        assertThat(second.held().from()).isEqualTo(1_000);
        assertThat(second.held().bound()).isEqualTo(2_000);
        assertThat(second.client.takeovers()).isEqualTo(1);
    }

    @Test
    void aRenewalMakesTheClaimantWaitAgain() throws Exception {
        first.step();
        second.step();
        second.pass(LEASE);
        first.pass(LEASE / 3);
        first.step();
        second.step();
        second.pass(LEASE + HUNDREDTH - 1);
        second.step();
        assertThat(second.held()).isNull();
        second.pass(1);
        second.step();

        assertThat(second.held().from()).isEqualTo(1_000);
    }

    @Test
    void aRowThatWasRenewedSinceTheLastReadIsNotTaken() throws Exception {
        first.step();
        second.step();
        second.pass(2 * LEASE);
        first.pass(LEASE / 3);
        first.step();
        second.step();

        assertThat(second.held()).isNull();
        assertThat(second.client.state().seen().row()).isEqualTo(row.content());
    }

    @Test
    void aClaimantWaitsForTheLongerOfBothLeases() throws Exception {
        Node patient = new Node("patient", 3 * LEASE);
        patient.step();
        second.step();
        second.pass(3 * LEASE + 3 * HUNDREDTH - 1);
        second.step();
        assertThat(second.held()).isNull();
        second.pass(1);
        second.step();
        assertThat(second.isActive()).isTrue();

        patient.pass(LEASE);
        patient.step();
        patient.step();
        assertThat(patient.held()).isNull();
        patient.pass(3 * LEASE + 3 * HUNDREDTH - 1);
        patient.step();
        assertThat(patient.held()).isNull();
    }

    @Test
    void aRowThatWasHandedBackIsTakenAtOnceAboveTheLastValue() throws Exception {
        first.step();
        second.step();
        first.client.handBack(17);
        assertThat(row.content().isHandedBack()).isTrue();
        second.step();

        assertThat(second.held().from()).isEqualTo(17);
        assertThat(second.isActive()).isTrue();
    }

    @Test
    void aRowIsNeverHandedBackBelowItsBeginning() throws Exception {
        first.step();
        first.client.handBack(500);
        second.step();
        second.client.handBack(0);

        assertThat(row.content().bound()).isEqualTo(500);
    }

    @Test
    void aProcessThatLostTheRowHandsNothingBack() throws Exception {
        first.step();
        second.step();
        second.pass(LEASE + HUNDREDTH);
        second.step();
        TenureRow taken = row.content();
        first.client.handBack(17);

        assertThat(row.content()).isEqualTo(taken);
    }

    @Test
    void aRequestThatWasDoneAlthoughItsAnswerWasLostCountsFromWhenItWasSent() throws Exception {
        first.store.answer(Answer.LOST);
        assertThatThrownBy(first::step).isInstanceOf(TenureStoreException.class);
        long sent = first.nanos;
        assertThat(first.held()).isNull();
        first.pass(LEASE / 10);
        first.step();

        assertThat(first.held().end()).isEqualTo(sent + LEASE - HUNDREDTH);
        assertThat(first.store.writes()).isEqualTo(1);
        assertThat(first.client.takeovers()).isEqualTo(1);
    }

    @Test
    void aRequestThatWasNotDoneIsRepeatedUnchanged() throws Exception {
        first.step();
        first.pass(LEASE / 3);
        first.store.answer(Answer.LATE);
        assertThatThrownBy(first::step).isInstanceOf(TenureStoreException.class);
        long sent = first.nanos;
        first.pass(LEASE / 10);
        first.step();

        assertThat(row.content().token()).isEqualTo("2");
        assertThat(first.held().end()).isEqualTo(sent + LEASE - HUNDREDTH);
        assertThat(row.arrive()).as("the late one").isFalse();
        assertThat(first.isActive()).isTrue();
    }

    @Test
    void aLateClaimIsNoticedAndCountsFromWhenItWasSent() throws Exception {
        first.step();
        second.step();
        second.pass(LEASE + HUNDREDTH);
        second.store.answer(Answer.LATE);
        assertThatThrownBy(second::step).isInstanceOf(TenureStoreException.class);
        long sent = second.nanos;
        assertThat(row.arrive()).isTrue();
        second.pass(LEASE / 10);
        second.step();

        assertThat(second.held().end()).isEqualTo(sent + LEASE - HUNDREDTH);
        assertThat(second.held().from()).isEqualTo(1_000);
    }

    @Test
    void aClaimWhoseAnswerWasLostIsGivenUpIfTheOwnerRenewedMeanwhile() throws Exception {
        first.step();
        second.step();
        second.pass(LEASE + HUNDREDTH);
        second.store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(second::step).isInstanceOf(TenureStoreException.class);
        first.pass(LEASE / 3);
        first.step();
        second.step();

        assertThat(second.held()).isNull();
        assertThat(second.client.state().sent()).isNull();
        assertThat(first.isActive()).isTrue();
    }

    @Test
    void anOwnerWhoseLeaseIsOverGoesOnIfNobodyTookOver() throws Exception {
        first.step();
        first.pass(10 * LEASE);
        assertThat(first.isActive()).isFalse();
        first.step();

        assertThat(first.isActive()).isTrue();
        assertThat(first.held().from()).isZero();
        assertThat(first.client.takeovers()).isEqualTo(1);
    }

    @Test
    void anOwnerThatSleptIsStandbyOnceItHasLookedAndTakesOverAgainOnlyAfterALease() throws Exception {
        first.step();
        second.step();
        second.pass(LEASE + HUNDREDTH);
        second.step();
        first.pass(3 * LEASE);
        first.step();
        first.step();
        assertThat(first.held()).isNull();
        assertThat(first.client.state().seen().row().owner()).isEqualTo("second");
        first.pass(LEASE + HUNDREDTH);
        first.step();

        assertThat(first.held().from()).isEqualTo(2_000);
        assertThat(first.client.takeovers()).isEqualTo(2);
    }

    @Test
    void theRowOfAnotherProcessIsReadFiveTimesASecond() throws Exception {
        first.step();
        second.step();

        assertThat(second.client.pauseNanos()).isEqualTo(Duration.ofMillis(200).toNanos());
    }

    @Test
    void whoMayReserveNothingClaimsNothing() throws Exception {
        first.store.refuse(true);
        assertThatThrownBy(first::step).isInstanceOf(IdUnavailableException.class);
        assertThat(row.content()).isNull();
        first.store.refuse(false);
        first.step();

        assertThat(first.isActive()).isTrue();
    }

    @Test
    void aCallerThatNeedsABoundGetsOneBeforeTheRenewalIsDue() throws Exception {
        first.step();
        first.store.room(5_000);
        first.client.step(true);

        assertThat(first.held().bound()).isEqualTo(5_000);
    }

    @Test
    void anOwnerMustHaveAName() {
        assertThatThrownBy(() -> new Node("", LEASE)).hasMessage("The owner of a tenure must have a name");
        assertThatThrownBy(() -> new TenureProtocol(99)).hasMessage("A lease must last for 100 ns or more: lease=99");
    }
}
