package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.tenure.TenureRow;
import io.distributedid.internal.tenure.TenureStoreException;
import io.distributedid.testkit.CountedWorkerStore;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;

class ExclusiveStoreTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final Duration SKEW = Duration.ofSeconds(15);

    private static final TenureRow FIRST = row("first", START + 5_000, "a");

    private static final TenureRow SECOND = row("second", START + 9_000, "b");

    private long local = START;

    private long atStore = START;

    private long nanos;

    private final InstantSource clock = () -> Instant.ofEpochMilli(local);

    private final MemoryStore memory = new MemoryStore(() -> Instant.ofEpochMilli(atStore));

    private final CountedWorkerStore counted = new CountedWorkerStore(memory);

    private final ExclusiveStore store = another();

    private ExclusiveStore another() {
        return new ExclusiveStore(
                counted,
                new ExclusiveTerms(LEASE, SKEW, Duration.ofSeconds(6), "first"),
                clock,
                () -> nanos,
                (from, now) -> Math.max(from, now) + 1);
    }

    private ExclusiveStore process(Duration lease, Duration maxClockSkew) {
        return new ExclusiveStore(
                counted,
                new ExclusiveTerms(lease, maxClockSkew, Duration.ofSeconds(6), "other"),
                clock,
                () -> nanos,
                (from, now) -> Math.max(from, now) + 1);
    }

    private static TenureRow row(String owner, long bound, String token) {
        return row(owner, bound, token, LEASE);
    }

    private static TenureRow row(String owner, long bound, String token, Duration lease) {
        return new TenureRow(owner, bound, lease.toNanos(), token);
    }

    private void pass(Duration by) {
        local += by.toMillis();
        atStore += by.toMillis();
        nanos += by.toNanos();
    }

    @Test
    void theRowIsBesideTheWorkerNumbersAndHoldsTheLease() throws Exception {
        assertThat(store.read()).isNull();
        assertThat(store.compareAndSet(null, FIRST)).isTrue();

        assertThat(store.read()).isEqualTo(FIRST);
        assertThat(memory.row(-1)).isEqualTo(new WorkerRow(-1, "first", START + 5_000, "3uw.a"));
    }

    @Test
    void theRowIsReplacedIfItIsAsExpected() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        assertThat(store.compareAndSet(null, SECOND)).isFalse();
        assertThat(store.compareAndSet(SECOND, row("third", START + 9_000, "c")))
                .isFalse();
        assertThat(store.read()).isEqualTo(FIRST);
        counted.takeOperations();

        assertThat(store.compareAndSet(FIRST, SECOND)).isTrue();
        assertThat(counted.takeOperations()).isEqualTo(1);
        assertThat(store.read()).isEqualTo(SECOND);
    }

    @Test
    void aStoreThatCanNotCompareTheRecordInOneStepIsReadFirst() throws Exception {
        memory.renewsInOneStep(false);
        store.read();
        store.compareAndSet(null, FIRST);

        assertThat(store.compareAndSet(FIRST, SECOND)).isTrue();
        assertThat(store.compareAndSet(FIRST, SECOND)).isFalse();
    }

    @Test
    void aRowThatWasHandedBackHasNoOwner() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        store.compareAndSet(FIRST, row("", START + 10, "b"));

        assertThat(store.read().isHandedBack()).isTrue();
        assertThat(another().read().bound()).isEqualTo(START + 10);
    }

    @Test
    void theBoundComesFromAClockThatIsNearTheStores() throws Exception {
        store.read();
        local += 15_000;
        assertThat(store.bound(START)).isEqualTo(local + 1);
        local += 1;
        assertThatThrownBy(() -> store.bound(START))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("The local clock must be near the store's: clock=2026-11-21T12:00:15.001Z, memory says"
                        + " 2026-11-21T12:00:00Z, allowed: 15000 ms (distributedid.snowflake.lease.max_clock_skew)."
                        + " Set the clock");
        local -= 30_002;
        assertThatThrownBy(() -> store.bound(START)).isInstanceOf(IdUnavailableException.class);
        local += 1;
        assertThat(store.bound(START + 10_000)).isEqualTo(START + 10_001);
    }

    /** Else a loss of the row would not be awaited long enough. */
    @Test
    void theBoundIsAheadOfTheStoresClockByALeaseAndASkewAtMost() throws Exception {
        store.read();
        assertThat(store.bound(START + 19_999)).isEqualTo(START + 20_000);
        assertThat(store.bound(START + 20_000)).isEqualTo(START + 20_000);
        pass(Duration.ofSeconds(1));
        local -= 5_000;
        assertThat(store.bound(START + 60_000)).isEqualTo(START + 21_000);
    }

    @Test
    void afterASleepOfTheMachineTheStoreIsAskedForTheTime() throws Exception {
        store.read();
        local += 3_600_000;
        atStore += 3_600_000;

        assertThat(store.bound(0)).isEqualTo(local + 1);
    }

    @Test
    void anotherStoreThanBeforeGivesNoTenure() throws Exception {
        store.read();
        memory.forget();
        memory.compareAndSetRecord(
                WorkerStore.STORE_RECORD,
                null,
                StoreRecord.first("other", 5_000).text());

        assertThatThrownBy(store::read)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The store of the active process is another one than before, or was emptied"
                        + " and used anew: memory token=other, it was token=");
    }

    @Test
    void afterAChangeOfLayoutARunningProcessGetsNoTenure() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        change(found(), found().changed());

        assertThatThrownBy(() -> store.compareAndSet(FIRST, SECOND))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The layout of a sequence was changed since this process started");
        assertThat(another().read()).isEqualTo(FIRST);
    }

    @Test
    void aStoreWhoseNumbersHaveMovedGivesNoTenure() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        change(found(), found().moved("m"));

        assertThatThrownBy(() -> store.compareAndSet(FIRST, SECOND))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The worker numbers have moved to another place: memory state=MOVED");
        assertThatThrownBy(() -> another().read()).isInstanceOf(IdConfigurationException.class);
    }

    private StoreRecord found() throws Exception {
        return StoreRecord.of(memory).orElseThrow();
    }

    private void change(StoreRecord from, StoreRecord to) throws Exception {
        memory.compareAndSetRecord(WorkerStore.STORE_RECORD, from.text(), to.text());
    }

    @Test
    void aLongerWindowOfOthersInTheRecordIsNoObstacle() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        change(found(), found().raised(60_000));

        assertThat(store.compareAndSet(FIRST, SECOND)).isTrue();
    }

    @Test
    void whoFindsTheRowGoneWaitsUntilAnyTermIsOver() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        memory.forgetRows();
        assertForgotten(store);
        assertForgotten(another());
        pass(Duration.ofSeconds(36));

        assertThat(store.read()).isNull();
        assertThat(store.compareAndSet(null, SECOND)).isTrue();
        assertThat(store.read()).isEqualTo(SECOND);
    }

    @Test
    void aProcessThatStartsLaterBecomesActiveOnceAnyTermIsOver() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        memory.forgetRows();
        assertForgotten(another());
        pass(Duration.ofMillis(35_499));
        assertThatThrownBy(another()::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1));

        ExclusiveStore next = another();
        assertThat(next.read()).isNull();
        assertThat(next.compareAndSet(null, SECOND)).isTrue();
        memory.forgetRows();
        assertForgotten(another());
    }

    @Test
    void theRowIsLostAlsoForItsFirstOwnerThatHandedItBack() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        store.compareAndSet(FIRST, row("", START + 10, "b"));
        memory.forgetRows();

        assertForgotten(store);
    }

    /** The rows and the records are gone, so that only processes that run can know of the row. */
    @Test
    void whoStandsByAndFindsTheStoreEmptyWaitsUntilAnyTermIsOver() throws Exception {
        ExclusiveStore standby = standingBy();
        memory.forget();
        assertForgotten(standby);
        assertForgotten(another());
        pass(Duration.ofMillis(35_499));
        assertThatThrownBy(standby::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1));

        assertThat(standby.read()).isNull();
        assertThat(standby.compareAndSet(null, SECOND)).isTrue();
    }

    @Test
    void whoHandedTheRowBackAndFindsTheStoreEmptyWaitsToo() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        store.compareAndSet(FIRST, row("", START + 10, "b"));
        memory.forget();

        assertForgotten(store);
    }

    @Test
    void aLossIsRememberedIfTheRecordOfItCanNotBeWritten() throws Exception {
        ExclusiveStore standby = standingBy();
        memory.forgetRows();
        memory.forgetRecord(WorkerStore.EXCLUSIVE_RECORD);
        memory.answerOfRecord(MemoryStore.Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(standby::read)
                .isInstanceOf(TenureStoreException.class)
                .hasMessage("memory said: connection reset");

        assertForgotten(standby);
    }

    @Test
    void aStoreThatIsEmptiedAgainWhileItIsClosedStaysClosed() throws Exception {
        ExclusiveStore standby = standingBy();
        memory.forget();
        assertForgotten(standby);
        memory.forget();

        assertForgotten(standby);
    }

    private ExclusiveStore standingBy() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        ExclusiveStore standby = another();
        assertThat(standby.read()).isEqualTo(FIRST);
        return standby;
    }

    @Test
    void aRecordOfAnotherKindIsRefused() throws Exception {
        memory.compareAndSetRecord(WorkerStore.EXCLUSIVE_RECORD, null, "used");

        assertThatThrownBy(store::read)
                .isInstanceOf(TenureStoreException.class)
                .hasMessage("The record @exclusive beside the worker numbers can't be read: used");
    }

    @Test
    void whoFindsARowBelowWhatItWasGrantedWaitsToo() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        WorkerRow before = memory.row(-1);
        store.compareAndSet(FIRST, SECOND);
        memory.put(before);
        assertForgotten(store);
        assertThat(another().read()).isEqualTo(FIRST);
        pass(Duration.ofSeconds(36));

        assertThat(store.read()).isEqualTo(FIRST);
    }

    /** Of processes with different settings, the one with the shortest lease and the smallest skew finds the loss. */
    @Test
    void aLossIsAwaitedForTheLongestLeaseAndTheLargestSkewOfAllProcesses() throws Exception {
        ExclusiveStore longer = process(Duration.ofSeconds(30), Duration.ofMillis(100));
        longer.read();
        longer.compareAndSet(null, row("longer", START + 30_000, "a", Duration.ofSeconds(30)));
        process(Duration.ofSeconds(1), Duration.ofSeconds(2)).read();
        memory.forgetRows();
        ExclusiveStore shorter = process(Duration.ofSeconds(1), Duration.ofMillis(100));
        assertThatThrownBy(shorter::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(36_999));
        assertThatThrownBy(shorter::read).isInstanceOf(IdUnavailableException.class);
        assertThatThrownBy(longer::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1));

        assertThat(shorter.read()).isNull();
        assertThat(shorter.compareAndSet(null, row("shorter", START + 60_000, "b", Duration.ofSeconds(1))))
                .isTrue();
    }

    /** The records are gone as well, but the one that finds this has read a longer lease, and a larger skew. */
    @Test
    void whatOthersMayUseIsRememberedIfTheRecordsAreLostToo() throws Exception {
        ExclusiveStore longer = process(Duration.ofSeconds(30), Duration.ofSeconds(2));
        longer.read();
        longer.compareAndSet(null, row("longer", START + 30_000, "a", Duration.ofSeconds(30)));
        ExclusiveStore shorter = process(Duration.ofSeconds(1), Duration.ofMillis(100));
        shorter.read();
        memory.forget();
        assertThatThrownBy(shorter::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(36_999));
        assertThatThrownBy(shorter::read).isInstanceOf(IdUnavailableException.class);
        assertThatThrownBy(process(Duration.ofSeconds(1), Duration.ofMillis(100))::read)
                .isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1));

        assertThat(shorter.read()).isNull();
    }

    @Test
    void aLeaseThatBecomesLongerWhileAnotherProcessStandsByIsKnownToThatOne() throws Exception {
        ExclusiveStore active = process(Duration.ofSeconds(1), Duration.ofMillis(100));
        active.read();
        TenureRow first = row("active", START + 1_000, "a", Duration.ofSeconds(1));
        active.compareAndSet(null, first);
        ExclusiveStore standby = process(Duration.ofSeconds(1), Duration.ofMillis(100));
        standby.read();
        ExclusiveStore longer = process(Duration.ofSeconds(30), Duration.ofSeconds(2));
        longer.read();
        longer.compareAndSet(first, row("longer", START + 31_000, "b", Duration.ofSeconds(30)));
        standby.read();
        memory.forget();
        assertThatThrownBy(standby::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(36_999));

        assertThatThrownBy(standby::read).isInstanceOf(IdUnavailableException.class);
    }

    /** Its clock may be so far behind that it would begin below the bound that was lost. */
    @Test
    void aProcessWhoseClockMayLagMoreWaitsLongerThanTheOneThatFoundTheLoss() throws Exception {
        ExclusiveStore first = process(Duration.ofSeconds(1), Duration.ofMillis(100));
        first.read();
        first.compareAndSet(null, row("first", START + 1_000, "a", Duration.ofSeconds(1)));
        memory.forgetRows();
        assertThatThrownBy(first::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1_300));
        ExclusiveStore lagging = process(Duration.ofSeconds(1), Duration.ofSeconds(2));
        assertThatThrownBy(lagging::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(3_799));
        assertThatThrownBy(lagging::read).isInstanceOf(IdUnavailableException.class);
        pass(Duration.ofMillis(1));

        assertThat(lagging.read()).isNull();
    }

    @Test
    void whatALostAnswerGrantedIsKnownOnceTheRowIsRead() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        WorkerRow before = memory.row(-1);
        memory.answer(MemoryStore.Answer.LOST);
        assertThatThrownBy(() -> store.compareAndSet(FIRST, SECOND)).isInstanceOf(TenureStoreException.class);
        assertThat(store.read()).isEqualTo(SECOND);
        memory.put(before);

        assertForgotten(store);
    }

    private static void assertForgotten(ExclusiveStore one) {
        assertThatThrownBy(one::read)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith(
                        "The store has forgotten which process was active, so that one may still be: memory. Was it"
                                + " restored from a backup, or created anew? This process becomes active in 35 s");
    }

    @Test
    void aRowThatItsFirstOwnerCouldNotWriteIsNotLost() throws Exception {
        store.read();
        memory.answer(MemoryStore.Answer.LOST_WITH_THE_QUESTION);
        assertThatThrownBy(() -> store.compareAndSet(null, FIRST))
                .isInstanceOf(TenureStoreException.class)
                .hasMessage("memory said: connection reset");

        assertThat(store.read()).isNull();
        assertThat(store.compareAndSet(null, FIRST)).isTrue();
    }

    @Test
    void workerNumbersAreLeasedBesideIt() throws Exception {
        store.read();
        store.compareAndSet(null, FIRST);
        pass(Duration.ofHours(1));
        StoreClient client = new StoreClient(
                memory,
                new LeaseTerms(
                        new LeaseProtocol(60_000, 0, 3, false), Duration.ofSeconds(15), Duration.ZERO, Duration.ZERO),
                clock,
                () -> nanos,
                () -> 0,
                "app1");
        while (client.isDue()) {
            client.renew();
        }

        assertThat(client.granted().worker()).isZero();
    }

    @Test
    void aRowOfAnotherKindIsRefused() throws Exception {
        memory.put(new WorkerRow(-1, "app1", START, "token"));

        assertThatThrownBy(store::read)
                .isInstanceOf(TenureStoreException.class)
                .hasMessage("The row of the active process can't be read: memory worker=-1 token=token");
    }

    @Test
    void theTokenAndTheRecordsAreThoseOfTheStore() throws Exception {
        store.read();

        assertThat(store.token()).isEqualTo(found().token());
        assertThat(store.record("photos", "a layout")).isEqualTo("a layout");
        assertThat(another().record("photos", "another")).isEqualTo("a layout");
    }
}
