package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.backend.snowflake.lease.MemoryStore.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class StoreClientTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    /** After so long all windows are over by all clocks. */
    private static final long OVER = WINDOW + 2 * WINDOW / 4 + LeaseProtocol.HANDBACK_WAIT_MILLIS;

    private long local = START;

    private long atStore = START;

    private long nanos;

    private final InstantSource clock = () -> Instant.ofEpochMilli(local);

    private final MemoryStore store = new MemoryStore(() -> Instant.ofEpochMilli(atStore));

    private final LeaseTerms terms = terms(false, 3);

    @Test
    void theLowestNumberIsLeasedFirst() throws Exception {
        assertThat(leasing(terms).granted().worker()).isZero();
        assertThat(leasing(terms).granted().worker()).isEqualTo(1);
        assertThat(leasing(terms).granted())
                .satisfies(grant -> assertThat(grant.worker()).isEqualTo(2))
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(START))
                .satisfies(grant -> assertThat(grant.until()).isEqualTo(START + WINDOW));
    }

    @Test
    void aWindowIsRenewedWhenHalfOfItIsOver() throws Exception {
        StoreClient client = leasing(terms);
        pass(WINDOW / 2 - 1);
        assertThat(client.isDue()).isFalse();
        pass(1);
        client.renew();

        assertThat(client.granted().from()).isEqualTo(START);
        assertThat(client.granted().until()).isEqualTo(START + WINDOW / 2 + WINDOW);
        assertThat(client.isDue()).isFalse();
    }

    @Test
    void theNumberOfADeadOwnerIsFreeOnceItsWindowIsOverAndTheNextWindowBeginsThere() throws Exception {
        leasing(terms);
        pass(WINDOW - 1);
        assertThat(leasing(terms).granted().worker()).isEqualTo(1);
        pass(1);

        assertThat(leasing(terms).granted())
                .satisfies(grant -> assertThat(grant.worker()).isZero())
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(START + WINDOW));
    }

    @Test
    void aWindowLongerThanAllBeforeIsAskedForOnceEverybodyKnowsOfIt() throws Exception {
        LeaseTerms longer = terms(false, 3, 10 * WINDOW);
        leasing(terms);
        StoreClient patient = leasing(longer);
        assertThat(patient.granted().until()).isEqualTo(START + WINDOW);
        pass(WINDOW + 2 * 10 * WINDOW / 4 + LeaseProtocol.HANDBACK_WAIT_MILLIS);
        patient.renew();
        assertThat(patient.windowMillis()).isEqualTo(WINDOW);
        pass(1);
        patient.renew();

        assertThat(patient.granted().until()).isEqualTo(local + 10 * WINDOW);
        assertThat(leasing(longer).granted().until()).as("of others at once").isEqualTo(local + 10 * WINDOW);
    }

    @Test
    void aLongerWindowIsNotAskedForEarlierByAnOldProcess() throws Exception {
        pass(Duration.ofHours(1).toMillis());
        leasing(terms);
        StoreClient patient = leasing(terms(false, 3, 10 * WINDOW));

        assertThat(patient.windowMillis()).isEqualTo(WINDOW);
    }

    @Test
    void theClocksDifferByHalfOfTheAnswersTimeLess() throws Exception {
        StoreClient client = client(answersAfter(200), terms);
        client.renew();
        assertThat(client.clockOffset()).isEqualTo(Duration.ofMillis(200 - 100));
        pass(WINDOW / 2);
        local += 50;
        client.renew();

        assertThat(client.clockOffset()).as("without a read").isEqualTo(Duration.ofMillis(50 + 100));
    }

    @Test
    void anAnswerMayTakeAsLongAsTheClocksMayDiffer() throws Exception {
        MemoryStore slow = answersAfter(WINDOW / 4);
        client(slow, terms).renew();

        assertThat(slow.reads()).isEqualTo(1);
    }

    @Test
    void noSkewIsAllowedBeyondAQuarterOfTheLongestWindow() throws Exception {
        LeaseTerms lax = new LeaseTerms(terms.protocol(), Duration.ofMillis(WINDOW), Duration.ZERO, Duration.ZERO);
        local += WINDOW / 4;
        assertThat(leasing(lax).granted().worker()).isZero();
        local += 1;

        assertThatThrownBy(() -> leasing(lax)).hasMessageContaining("allowed: 250 ms");
    }

    @Test
    void noNumberIsLeasedBeforeTheRecordIsWritten() throws Exception {
        StoreClient client = client(store, terms);
        store.answerOfRecord(Answer.REFUSED);
        client.renew();
        assertThat(store.row(0)).isNull();
        client.renew();

        assertThat(client.granted().worker()).isZero();
    }

    @Test
    void aMoveNeedsTheRecordThatBeganIt() {
        StoreClient client = new StoreClient(store, terms, clock, () -> nanos, () -> 0, "me", Admission.next("m"));

        assertThatThrownBy(client::renew)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The record beside the worker numbers was lost while they moved: memory name=@store."
                        + " Restore it, and start again");
    }

    @Test
    void noWindowBeginsBeforeNumbersMayBeUsedHereAfterAMove() throws Exception {
        StoreClient before = leasing(terms);
        replace(record().arrived(START + 300, BurntNumbers.NONE));
        StoreClient after = leasing(terms);
        assertThat(after.granted().from()).isEqualTo(START + 300);
        pass(WINDOW / 2);
        before.renew();

        assertThat(before.granted().from()).isEqualTo(START + 300);
    }

    @Test
    void whoFindsTheStoreEmptyWaitsForTheLongestWindowThatAnybodyHas() throws Exception {
        StoreClient client = leasing(terms);
        leasing(terms(false, 3, 10 * WINDOW));
        pass(WINDOW / 2);
        client.renew();
        store.forget();
        pass(WINDOW / 2);

        assertForgotten(client, "16 s");
    }

    @Test
    void aStoreThatWasUsedBeforeAndHoldsNoNumberWasEmptied() throws Exception {
        leasing(terms);
        store.forgetRows();

        StoreClient client = client(store, terms);
        assertForgotten(client, "2 s");
        pass(OVER - 1);
        assertForgotten(client, "0 s");
        pass(1);
        renew(client);
        assertThat(client.granted().worker()).isZero();
    }

    @Test
    void aWindowOfANumberThatWasHandedBackIsOverWhenAnEmptiedStoreOpens() throws Exception {
        leasing(terms).handBack(START + 990);
        StoreClient next = leasing(terms);
        assertThat(next.granted().from()).isEqualTo(START + 990);
        assertThat(next.granted().until()).isEqualTo(START + 990 + WINDOW);
        store.forgetRows();
        assertForgotten(client(store, terms), "2 s");
        while (!record().isOpen(atStore)) {
            pass(10);
        }

        assertThat(leasing(terms).granted().from())
                .isGreaterThanOrEqualTo(next.granted().until());
    }

    @Test
    void processesThatStartLaterLeaseFromAStoreThatWasEmptied() throws Exception {
        leasing(terms);
        store.forgetRows();
        assertForgotten(client(store, terms), "2 s");
        pass(OVER - 1);
        assertForgotten(client(store, terms), "0 s");
        pass(1);

        assertThat(leasing(terms).granted().worker()).isZero();
        assertThat(leasing(terms).granted().worker()).isEqualTo(1);
    }

    @Test
    void aStoreThatIsEmptiedAgainIsClosedAgain() throws Exception {
        leasing(terms);
        store.forgetRows();
        assertForgotten(client(store, terms), "2 s");
        pass(OVER);
        leasing(terms);
        store.forgetRows();

        assertForgotten(client(store, terms), "2 s");
    }

    @Test
    void aStoreWhoseFirstUserDiedBeforeItLeasedIsNew() throws Exception {
        store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client(store, terms)::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(record().opens()).isZero();
        assertThat(store.row(0)).isNull();
        pass(Duration.ofDays(1).toMillis());

        assertThat(leasing(terms).granted().worker()).isZero();
        assertThat(record().opens()).isEqualTo(StoreRecord.IN_USE);
    }

    @Test
    void aNumberIsNotUsedBeforeTheRecordSaysThatTheStoreHoldsNumbers() throws Exception {
        StoreClient client = whoseFirstLeaseIsNotRecorded();
        assertThat(client.granted()).isNull();
        assertThat(client.isDue()).isTrue();
        client.renew();

        assertThat(client.granted().worker()).isZero();
        assertThat(client.isDue()).isFalse();
        assertThat(record().opens()).isEqualTo(StoreRecord.IN_USE);
    }

    @Test
    void aNumberThatWasNotUsedYetIsGivenUpIfTheStoreIsClosed() throws Exception {
        StoreClient client = whoseFirstLeaseIsNotRecorded();
        replace(record().closedUntil(local + OVER));

        assertForgotten(client, "2 s");
        assertThat(client.held()).isNull();
        assertThat(client.granted()).isNull();
    }

    @Test
    void aNumberThatWasTakenUnnoticedIsGivenUpIfTheStoreIsClosed() throws Exception {
        leasing(terms);
        StoreClient client = client(store, terms);
        store.answer(Answer.LOST);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        replace(record().closedUntil(local + OVER));

        assertForgotten(client, "2 s");
        assertThat(client.held()).isNull();
        assertThat(client.granted()).isNull();
    }

    private StoreClient whoseFirstLeaseIsNotRecorded() throws Exception {
        String first = StoreRecord.first("a-store", WINDOW).text();
        assertThat(store.compareAndSetRecord(WorkerStore.STORE_RECORD, null, first))
                .isTrue();
        StoreClient client = client(store, terms);
        store.answerOfRecord(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(store.row(0)).isNotNull();
        return client;
    }

    @Test
    void whoFindsThatNobodyHasRecordedTheFirstLeaseDoesIt() throws Exception {
        leasing(terms);
        replace(record().closedUntil(0));

        assertThat(leasing(terms).granted().worker()).isEqualTo(1);
        assertThat(record().opens()).isEqualTo(StoreRecord.IN_USE);
    }

    @Test
    void aRenewalThatWasDoneAndIsRefusedWhenAProxyRepeatsItIsRecognised() throws Exception {
        StoreClient client = leasing(terms);
        store.repeatsRenewals();
        for (int i = 1; i <= 3; i++) {
            pass(WINDOW / 2);
            client.renew();

            assertThat(client.granted().row()).isEqualTo(store.row(0));
            assertThat(client.granted().from()).isEqualTo(START);
            assertThat(client.granted().until()).isEqualTo(local + WINDOW);
        }
        assertThat(store.row(1)).isNull();
    }

    @Test
    void whoRenewsReadsARecordThatDoesNotSayYetThatTheStoreHoldsNumbers() throws Exception {
        StoreClient client = leasing(terms);
        replace(record().closedUntil(0));
        pass(WINDOW / 2);
        client.renew();

        assertThat(record().opens()).isEqualTo(StoreRecord.IN_USE);
        pass(WINDOW / 2);
        int before = store.reads();
        client.renew();
        assertThat(store.reads() - before).as("in one step again").isEqualTo(1);
    }

    @Test
    void onceALossIsFoundNoProcessThatStartsTakesANumber() throws Exception {
        StoreClient finder = leasing(terms);
        StoreClient unharmed = leasing(terms);
        WorkerRow backup = store.row(0);
        pass(WINDOW / 2);
        renew(finder);
        store.put(backup);
        pass(WINDOW / 2);
        assertForgotten(finder, "2 s");

        assertForgotten(client(store, terms), "2 s");
        pass(OVER - 1);
        assertForgotten(client(store, terms), "0 s");
        pass(1);
        assertThat(leasing(terms).granted().from()).isEqualTo(local);
        assertThat(record().opens()).isEqualTo(StoreRecord.IN_USE);
        assertThat(unharmed.held()).isEqualTo(1);
    }

    @Test
    void whileTheStoreIsClosedAProcessGoesOnUnlessItsWindowIsOver() throws Exception {
        StoreClient awake = leasing(terms);
        StoreClient asleep = leasing(terms);
        pass(WINDOW / 2);
        renew(awake);
        replace(record().closedUntil(local + OVER));
        pass(WINDOW / 2);
        renew(awake);

        assertThat(awake.granted().until()).isEqualTo(local + WINDOW);
        assertForgotten(asleep, "2 s");
        assertThat(asleep.held()).isNull();
    }

    /** It can't know whether the store has lost more since. */
    @Test
    void whoSleptWhileOthersWaitedForALossClosesTheStoreAgain() throws Exception {
        leasing(terms);
        StoreClient asleep = leasing(terms);
        store.forgetRows();
        assertForgotten(client(store, terms), "2 s");
        pass(OVER);
        leasing(terms);

        assertForgotten(asleep, "2 s");
        assertForgotten(client(store, terms), "2 s");
    }

    @Test
    void aStoreThatIsClosedForLongerStaysSo() throws Exception {
        StoreClient client = leasing(terms);
        long opens = local + 20 * WINDOW;
        replace(record().closedUntil(opens));
        store.forgetRows();
        pass(WINDOW / 2);

        assertForgotten(client, "19 s");
        assertThat(record().opens()).isEqualTo(opens);
    }

    @Test
    void aStoreWithANumberOfAnotherRangeIsNotEmpty() throws Exception {
        leasing(terms);
        LeaseTerms others = new LeaseTerms(
                new LeaseProtocol(WINDOW, 1, 2, false), terms.maxClockSkew(), Duration.ZERO, Duration.ZERO);

        assertThat(leasing(others).granted().worker()).isEqualTo(1);
    }

    @Test
    void aLossThatTheStoreCouldNotRecordIsRecordedByTheNextTry() throws Exception {
        StoreClient client = leasing(terms);
        store.forget();
        pass(WINDOW / 2);
        store.answerOfRecord(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(client.granted().covers(local)).isFalse();
        assertForgotten(client, "2 s");

        assertThat(record().opens()).isEqualTo(local + OVER);
    }

    @Test
    void aLossThatIsRecordedWhileAnotherWritesTheRecordIsRecordedByTheNextTry() throws Exception {
        StoreClient client = leasing(terms);
        store.forget();
        pass(WINDOW / 2);
        store.answerOfRecord(Answer.REFUSED);
        assertForgotten(client, "2 s");
        assertThat(store.hasRecord()).isFalse();
        assertForgotten(client, "2 s");

        assertThat(record().opens()).isEqualTo(local + OVER);
    }

    @Test
    void anotherStoreThanBeforeIsNotAsked() throws Exception {
        StoreClient client = leasing(terms);
        store.forget();
        store.compareAndSetRecord(
                WorkerStore.STORE_RECORD,
                null,
                StoreRecord.first("other", WINDOW).text());
        pass(WINDOW / 2);

        assertThatThrownBy(client::renew)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith(
                        "The store of worker numbers is another one than before, or was emptied and used anew:"
                                + " memory token=other, it was token=");
    }

    @Test
    void whoSleptThroughAChangeOfLayoutGetsNoWindow() throws Exception {
        StoreClient client = leasing(terms);
        replace(record().changed());
        pass(WINDOW);

        assertThatThrownBy(client::renew)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The layout of a sequence was changed since this process started");
        assertThat(leasing(terms).granted().from()).isEqualTo(START + WINDOW);
    }

    @Test
    void aNumberIsNotFreeBeforeItIsByBothClocks() throws Exception {
        leasing(terms);
        local += WINDOW + 100;
        atStore += WINDOW - 100;
        assertThat(leasing(terms).granted().worker()).isEqualTo(1);
        local -= 200;
        atStore += 200;

        assertThat(leasing(terms).granted().worker()).isEqualTo(2);
    }

    @Test
    void noWindowBeginsBeforeTheClockThatAskedForIt() throws Exception {
        store.put(new WorkerRow(0, "app1", START - 5_000, "from a backup, perhaps"));

        assertThat(leasing(terms).granted().from()).isEqualTo(START);
    }

    @Test
    void whatIsHandedBackIsFreeAtOnceAndTheNextWindowBeginsAboveTheLastId() throws Exception {
        StoreClient client = leasing(terms);
        pass(200);
        client.handBack(local + 50);

        assertThat(leasing(terms).granted())
                .satisfies(grant -> assertThat(grant.worker()).isZero())
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(START + 250));
    }

    @Test
    void aNumberThatWasNeverUsedIsHandedBackAsItWas() throws Exception {
        StoreClient client = leasing(terms);
        client.handBack(0);

        assertThat(store.row(0).reservedUntil()).isEqualTo(START);
        assertThat(store.row(0).isHandedBack()).isTrue();
    }

    @Test
    void aClockThatIsFarFromTheStoresIsRefusedAndReservesNothing() throws Exception {
        local += Duration.ofDays(365).toMillis();

        assertThatThrownBy(() -> leasing(terms))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The local clock must be near the store's: clock=2027-11-21T12:00:00Z, memory says"
                        + " 2026-11-21T12:00:00Z in an answer that took 0 ms, allowed: 250 ms"
                        + " (distributedid.snowflake.lease.max_clock_skew). Set the clock");
        assertThat(store.row(0)).isNull();
        assertThat(store.hasRecord()).isFalse();
    }

    @Test
    void aClockThatJumpsForwardRenewsNothing() throws Exception {
        StoreClient client = leasing(terms);
        local += Duration.ofDays(365).toMillis();

        assertThatThrownBy(client::renew).hasMessageStartingWith("The local clock must be near the store's");
        assertThat(store.row(0).reservedUntil()).isEqualTo(START + WINDOW);
    }

    @Test
    void aClockThatJumpsForwardWhileTheStoreIsReadReservesNothing() {
        MemoryStore slow = new MemoryStore(() -> {
            local += Duration.ofDays(365).toMillis();
            return Instant.ofEpochMilli(atStore);
        });
        StoreClient client = client(slow, terms);

        assertThatThrownBy(client::renew).hasMessageStartingWith("The local clock must be near the store's");
        assertThat(slow.row(0)).isNull();
    }

    @Test
    void aClockThatJumpsForwardByLessThanTheReadTakesReservesNothing() {
        MemoryStore slow = new MemoryStore(() -> {
            pass(200);
            local += 251;
            return Instant.ofEpochMilli(atStore);
        });

        assertThatThrownBy(client(slow, terms)::renew)
                .hasMessageContaining(
                        "memory says 2026-11-21T12:00:00.200Z in an answer that took 200 ms, allowed: 250 ms");
        assertThat(slow.row(0)).isNull();
    }

    @Test
    void aClockIsAheadByTheAllowedSkewAtTheMost() throws Exception {
        local += 250;

        assertThat(leasing(terms).granted().until()).isEqualTo(atStore + 250 + WINDOW);
    }

    @Test
    void aClockThatIsBehindMayBeSoByTheTimeOfTheAnswerToo() throws Exception {
        MemoryStore slow = answersAfter(200);
        local -= 450;
        StoreClient client = client(slow, terms);
        client.renew();
        assertThat(client.granted().until()).isEqualTo(atStore - 450 + WINDOW);
        local -= 1;

        assertThatThrownBy(client(slow, terms)::renew)
                .hasMessageStartingWith("The local clock must be near the store's: ");
    }

    @Test
    void aThreadThatIsHeldUpBeforeItLooksAtTheClockAsksOnceMore() throws Exception {
        AtomicLong heldUp = new AtomicLong(731);
        InstantSource late = () -> {
            pass(heldUp.getAndSet(0));
            return Instant.ofEpochMilli(local);
        };
        StoreClient client = new StoreClient(store, terms, late, () -> nanos, () -> 0, "me");
        client.renew();

        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
        assertThat(store.reads()).isEqualTo(2);
    }

    @Test
    void aSlowAnswerIsAskedForOnceMoreBeforeARightClockIsRefused() throws Exception {
        AtomicLong delay = new AtomicLong(251);
        MemoryStore connecting = new MemoryStore(() -> {
            Instant now = Instant.ofEpochMilli(atStore);
            pass(delay.getAndSet(1));
            return now;
        });
        StoreClient client = client(connecting, terms);
        client.renew();
        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
        assertThat(connecting.reads()).isEqualTo(2);

        MemoryStore slow = answersAfter(251);
        assertThatThrownBy(client(slow, terms)::renew)
                .hasMessageContaining(" in an answer that took 251 ms, allowed: 250 ms");
        assertThat(slow.reads()).isEqualTo(2);
    }

    @Test
    void aRenewalWhoseAnswerWasLostIsFoundInTheStore() throws Exception {
        StoreClient client = leasing(terms);
        pass(600);
        store.answer(Answer.LOST);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(client.granted().until()).isEqualTo(START + WINDOW);
        client.renew();

        assertThat(client.granted().from()).isEqualTo(START);
        assertThat(client.granted().until()).isEqualTo(START + 600 + WINDOW);
    }

    @Test
    void aRenewalThatWasLostOnTheWayIsSentAgainAsItWas() throws Exception {
        StoreClient client = leasing(terms);
        pass(600);
        store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        pass(100);
        client.renew();

        assertThat(client.granted().until()).isEqualTo(START + 600 + WINDOW);
    }

    @Test
    void aNumberWhoseAnswerWasLostIsFoundInTheStore() throws Exception {
        StoreClient client = client(store, terms);
        store.answer(Answer.LOST);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        client.renew();

        assertThat(client.granted().worker()).isZero();
        assertThat(store.row(1)).isNull();
    }

    /** The transaction of the first request hangs, so that its row is not seen and the next request waits for it. */
    @Test
    void aNumberWhoseFirstRequestArrivesLateIsNotTakenByAnother() throws Exception {
        StoreClient client = client(store, terms(false, 1));
        store.answer(Answer.LATE);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        pass(100);
        renew(client);

        assertThat(client.granted().from()).isEqualTo(START);
        assertThat(client.granted().until()).isEqualTo(START + WINDOW);
    }

    @Test
    void aRenewalThatArrivesLateWhileItIsRepeatedProlongsTheWindow() throws Exception {
        StoreClient client = leasing(terms);
        pass(600);
        store.answer(Answer.LATE);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        renew(client);

        assertThat(client.granted().worker()).isZero();
        assertThat(client.granted().from()).isEqualTo(START);
        assertThat(client.granted().until()).isEqualTo(START + 600 + WINDOW);
    }

    @Test
    void aSingleUseNumberWhoseFirstRequestArrivesLateIsFoundHoweverManyOthersStartedMeanwhile() throws Exception {
        StoreClient client = client(store, terms(true, 10_000));
        store.answer(Answer.LATE);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        store.put(new WorkerRow(5_000, "app1", Long.MAX_VALUE, "a"));
        renew(client);

        assertThat(client.granted().worker()).isZero();
        assertThat(store.highest()).isEqualTo(5_000);
    }

    @Test
    void aFirstRequestWithoutAnAnswerIsNotRepeatedOnceItsWindowIsOver() throws Exception {
        StoreClient client = client(store, terms(false, 1));
        store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        pass(WINDOW);
        renew(client);

        assertThat(client.granted().from()).isEqualTo(local);
        assertThat(client.granted().until()).isEqualTo(local + WINDOW);
    }

    @Test
    void aFirstRequestWithoutAnAnswerIsNotRepeatedIfAnotherHasTheNumber() throws Exception {
        StoreClient client = client(store, terms);
        store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(client::renew).isInstanceOf(WorkerStoreException.class);
        leasing(terms);
        int before = store.reads();
        renew(client);

        assertThat(client.granted().worker()).isEqualTo(1);
        assertThat(store.reads() - before).as("at once").isEqualTo(1);
    }

    @Test
    void whoWasPausedBeyondItsWindowGoesOnIfNobodyTookTheNumber() throws Exception {
        StoreClient client = leasing(terms);
        pass(Duration.ofHours(3).toMillis());
        renew(client);

        assertThat(client.granted())
                .satisfies(grant -> assertThat(grant.worker()).isZero())
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(START))
                .satisfies(grant -> assertThat(grant.until()).isEqualTo(local + WINDOW));
    }

    @Test
    void whoWasPausedBeyondItsWindowHasOnlyThatWindowIfTheNumberWasTakenAndThenLeasesAnother() throws Exception {
        StoreClient zombie = leasing(terms);
        pass(WINDOW);
        StoreClient next = leasing(terms);
        assertThat(next.granted().from()).isEqualTo(zombie.granted().until());
        zombie.renew();
        assertThat(zombie.granted().until()).isEqualTo(START + WINDOW);
        renew(zombie);

        assertThat(zombie.granted().worker()).isEqualTo(1);
        assertThat(next.granted().worker()).isZero();
    }

    @Test
    void aNumberThatWasTakenWhileItWasHeldEndsAtOnceBecauseOnlyACopyOfTheProcessDoesThat() throws Exception {
        StoreClient client = leasing(terms);
        WorkerRow row = store.row(0);
        store.put(new WorkerRow(0, row.owner(), row.reservedUntil() + 500, "the copy's"));
        pass(600);
        client.renew();

        assertThat(client.granted().covers(local)).isFalse();
        renew(client);
        assertThat(client.granted().worker()).isEqualTo(1);
    }

    @Test
    void aStoreThatHasForgottenWhatItGrantedEndsTheWindowAndIsNotTrustedForAsLongAsOthersMayHoldOne() throws Exception {
        StoreClient client = leasing(terms);
        store.forget();
        pass(600);

        assertForgotten(client, "2 s");
        assertThat(client.granted().covers(local)).isFalse();
        pass(500);
        assertForgotten(client, "2 s");
        pass(OVER - 501);
        assertForgotten(client, "0 s");
        assertThat(store.row(0)).isNull();
        pass(1);
        renew(client);
        assertThat(client.granted())
                .satisfies(grant -> assertThat(grant.from()).isEqualTo(local))
                .satisfies(grant -> assertThat(grant.until()).isEqualTo(local + WINDOW));
    }

    @Test
    void aNumberThatSomebodyElseHasTooEarlyIsASignThatTheStoreWasSetBack() throws Exception {
        StoreClient client = leasing(terms);
        store.put(new WorkerRow(0, "app1, which handed it back since", START + WINDOW + 500, "app1's"));
        pass(WINDOW - 1);

        assertForgotten(client, "2 s");
        assertThat(client.granted().covers(local)).isFalse();
    }

    @Test
    void whileTheStoreIsInDoubtItIsNotAsked() throws Exception {
        StoreClient client = leasing(terms);
        store.forget();
        pass(600);
        assertForgotten(client, "2 s");
        int before = store.reads();
        assertForgotten(client, "2 s");

        assertThat(store.reads()).isEqualTo(before);
    }

    private static void assertForgotten(StoreClient client, String left) {
        assertThatThrownBy(client::renew)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The store has forgotten windows that it granted, so that others may have them:"
                        + " memory. Was it restored from a backup, or created anew? Numbers are leased again in "
                        + left);
    }

    @Test
    void whenAllNumbersAreTakenTheErrorSaysByWhom() throws Exception {
        store.put(new WorkerRow(0, "app1 pid 17 since 2026-11-20T08:00:00Z", START + 500, "a"));
        store.put(new WorkerRow(1, "", START + 5_000, "b"));
        store.put(new WorkerRow(2, "app2 pid 4", Long.MAX_VALUE, "c"));

        assertThatThrownBy(() -> leasing(terms))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("All worker numbers are taken: 0 to 2 of memory. Stop one of their owners, or choose a"
                        + " layout with"
                        + " more bits of worker. 0 by app1 pid 17 since 2026-11-20T08:00:00Z until"
                        + " 2026-11-21T12:00:00.500Z; 1"
                        + " by nobody until 2026-11-21T12:00:05Z; 2 by app2 pid 4 for ever");
    }

    @Test
    void theErrorNamesTwentyOwners() {
        for (int worker = 0; worker < 64; worker++) {
            store.put(new WorkerRow(worker, "app" + worker, START + 1, "t" + worker));
        }

        assertThatThrownBy(() -> leasing(terms(false, 64))).hasMessageEndingWith("; and 44 more");
    }

    @Test
    void burntNumbersAreNeverUsedAgainAndNeedNoRenewal() throws Exception {
        LeaseTerms singleUse = terms(true, 3);
        StoreClient first = leasing(singleUse);
        first.handBack(local);
        assertThat(first.granted().until()).isEqualTo(Long.MAX_VALUE);
        pass(Duration.ofDays(1000).toMillis());
        assertThat(first.isDue()).isFalse();
        assertThat(leasing(singleUse).granted().worker()).isEqualTo(1);
        assertThat(leasing(singleUse).granted().worker()).isEqualTo(2);

        assertThatThrownBy(() -> leasing(singleUse))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("All worker numbers are used up: 0 to 2 of memory. Choose a larger range"
                        + " (distributedid.snowflake.lease.numbers) or a layout with more bits of worker; or"
                        + " stop all processes, and use another table");
        assertThatThrownBy(() -> leasing(terms))
                .isInstanceOf(NoFreeWorkerException.class)
                .hasMessageEndingWith(" (single-use numbers, never taken again: from 0 to 2)");
    }

    /** Their owners never look at the store again. */
    @Test
    void burntNumbersWhoseRowsAreLostAreNeverTakenAgain() throws Exception {
        leasing(terms(true, 9));
        WorkerRow backup = store.row(0);
        leasing(terms(true, 9));
        store.forgetRows();
        assertForgotten(client(store, terms(true, 9)), "2 s");
        pass(Duration.ofDays(10).toMillis());

        assertThat(leasing(terms(true, 9)).granted().worker()).isEqualTo(2);
        assertThat(leasing(terms(false, 9)).granted().worker()).isEqualTo(3);
        store.forgetRows();
        store.put(backup);
        assertThat(leasing(terms(false, 9)).granted().worker()).isEqualTo(3);
        assertThat(leasing(terms(true, 9)).granted().worker()).isEqualTo(4);
    }

    @Test
    void aBurntNumberWhoseRowHasNotArrivedYetIsNotTaken() throws Exception {
        StoreClient first = client(store, terms(true, 9));
        store.answer(Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(first::renew).isInstanceOf(WorkerStoreException.class);
        assertThat(leasing(terms(true, 9)).granted().worker()).isEqualTo(1);
        assertThat(leasing(terms(false, 9)).granted().worker()).isEqualTo(2);
        renew(first);

        assertThat(first.granted().worker()).isZero();
        assertThat(record().burnt()).isEqualTo(new BurntNumbers(0, 1));
    }

    @Test
    void whoIsTooLateToBurnANumberTakesAnother() throws Exception {
        StoreClient client = client(store, terms(true, 9));
        leasing(terms(true, 9));
        store.answerOfRecord(Answer.REFUSED);
        client.renew();
        assertThat(client.held()).isNull();
        assertThat(store.row(1)).isNull();
        renew(client);

        assertThat(client.granted().worker()).isEqualTo(1);
    }

    @Test
    void numbersBelowTheBurntOnesAreLeased() throws Exception {
        LeaseTerms upper = new LeaseTerms(
                new LeaseProtocol(WINDOW, 5, 9, true), terms.maxClockSkew(), Duration.ZERO, Duration.ZERO);
        assertThat(leasing(upper).granted().worker()).isEqualTo(5);
        assertThat(leasing(terms(false, 9)).granted().worker()).isZero();
        assertThat(leasing(upper).granted().worker()).isEqualTo(6);
    }

    /** Of a version that did not record them. */
    @Test
    void burntNumbersThatAreNotRecordedAreReadFromTheirRows() throws Exception {
        leasing(terms(false, 9));
        store.put(new WorkerRow(3, "app1", Long.MAX_VALUE, "a"));
        store.put(new WorkerRow(4, "app2", Long.MAX_VALUE, "b"));

        assertThat(leasing(terms(true, 9)).granted().worker()).isEqualTo(5);
        assertThat(record().burnt()).isEqualTo(new BurntNumbers(3, 5));
    }

    @Test
    void whoIsAlwaysRefusedIsToldSo() {
        store.answer(Answer.REFUSED);

        assertThatThrownBy(() -> leasing(terms))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Others were faster to take a worker number, 20 times: memory. Try again");
        assertThat(store.reads()).isEqualTo(20);
    }

    @Test
    void aClientKnowsItsNumberAndItsStore() throws Exception {
        StoreClient first = client(store, terms);
        StoreClient second = client(store, terms);
        assertThat(first.held()).isNull();
        assertThat(first.hasSameNumberAs(second)).as("neither has one").isFalse();
        assertThat(first.storeToken()).isNull();
        assertThat(first.label()).isEqualTo("memory");

        renew(first);
        renew(second);

        assertThat(first.held()).isZero();
        assertThat(second.held()).isOne();
        assertThat(first.hasSameNumberAs(first)).isTrue();
        assertThat(first.hasSameNumberAs(second)).isFalse();
        assertThat(first.hasSameNumberAs(client(store, terms))).isFalse();
        assertThat(first.storeToken()).isEqualTo(record().token()).isNotEmpty();
        assertThat(first.record("photos", "a layout")).isEqualTo("a layout");
        assertThat(second.record("photos", "another layout")).isEqualTo("a layout");
        first.close();
        assertThat(store.isClosed()).isTrue();
    }

    @Test
    void numbersHaveArrivedOnceTheirMoveToThisStoreHasEnded() throws Exception {
        StoreClient before = client(store, terms);
        assertThat(before.hasArrived()).isFalse();
        renew(before);
        assertThat(before.hasArrived()).isFalse();
        replace(record().arrived(START - 1, BurntNumbers.NONE));

        assertThat(leasing(terms).hasArrived()).isTrue();
    }

    private StoreRecord record() throws Exception {
        return StoreRecord.of(store).orElseThrow();
    }

    private void replace(StoreRecord next) throws Exception {
        assertThat(store.compareAndSetRecord(WorkerStore.STORE_RECORD, record().text(), next.text()))
                .isTrue();
    }

    private StoreClient leasing(LeaseTerms how) throws Exception {
        StoreClient client = client(store, how);
        renew(client);
        return client;
    }

    private StoreClient client(WorkerStore of, LeaseTerms how) {
        return new StoreClient(of, how, clock, () -> nanos, () -> 0, "me");
    }

    private static void renew(StoreClient client) throws Exception {
        while (client.isDue()) {
            client.renew();
        }
    }

    private void pass(long millis) {
        local += millis;
        atStore += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    /** Takes some time after it has looked at its clock. */
    private MemoryStore answersAfter(long millis) {
        return new MemoryStore(() -> {
            Instant now = Instant.ofEpochMilli(atStore);
            pass(millis);
            return now;
        });
    }

    private static LeaseTerms terms(boolean singleUse, int numbers) {
        return terms(singleUse, numbers, WINDOW);
    }

    private static LeaseTerms terms(boolean singleUse, int numbers, long window) {
        return new LeaseTerms(
                new LeaseProtocol(window, 0, numbers - 1, singleUse),
                Duration.ofMillis(window / 4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
    }
}
