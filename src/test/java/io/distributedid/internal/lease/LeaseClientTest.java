package io.distributedid.internal.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdUnavailableException;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Ledger;
import io.distributedid.internal.ledger.MemoryLedger;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each client is a process. Their clocks, the store's clock and the monotonic one are set by the test. */
class LeaseClientTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    private static final long SKEW = 250;

    private static final StoreHeader.Terms TERMS = new StoreHeader.Terms(WINDOW, SKEW);

    /** After so long nothing lasts that the store has lost. */
    private static final long OVER = LeaseProtocol.HANDBACK_WAIT_MILLIS + WINDOW + 2 * SKEW;

    private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(WINDOW);

    /** What happens to a request that changes rows. */
    private enum Answer {
        /** It is done, and the answer is lost. */
        LOST,
        LOST_ON_THE_WAY,
        /** There is no answer, and it is done later, see {@link Store#arrive}. */
        LATE,
        /** A proxy sends it twice, and answers what the second one was told. */
        REPEATED
    }

    private final class Store implements LeaseStore {

        private final Queue<Answer> answers = new ArrayDeque<>();

        private final List<Change> late = new ArrayList<>();

        private UnaryOperator<Page> shown = UnaryOperator.identity();

        private Runnable beforeAnswer = () -> {};

        private Runnable beforeWrite = () -> {};

        private Runnable afterWrite = () -> {};

        /** The name of a row that a transaction holds. */
        private String locked = "";

        private int reads;

        private int writes;

        @Override
        public Page read(Collection<String> names, boolean isSynchronised) {
            reads++;
            Page page = ledger.read(names, isSynchronised);
            beforeAnswer.run();
            return isSynchronised ? page : shown.apply(page);
        }

        @Override
        public Set<String> write(List<Change> changes) throws SQLException {
            writes++;
            beforeWrite.run();
            Answer answer = answers.poll();
            if (answer == Answer.LATE) {
                late.addAll(changes);
            }
            Set<String> done =
                    answer == Answer.LATE || answer == Answer.LOST_ON_THE_WAY ? Set.of() : ledger.write(free(changes));
            afterWrite.run();
            if (answer == Answer.REPEATED) {
                return Set.of();
            }
            if (answer != null) {
                throw new SQLException("connection reset", "08006");
            }
            return done;
        }

        private List<Change> free(List<Change> changes) {
            return changes.stream().filter(each -> !each.name().equals(locked)).toList();
        }

        void arrive() {
            ledger.write(late);
            late.clear();
        }

        @Override
        public String server() {
            return "memory";
        }

        @Override
        public String label() {
            return "memory";
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private final class Process {

        private final Store store = new Store();

        private final LeaseClient client =
                new LeaseClient(store, TERMS, () -> Instant.ofEpochMilli(local), () -> nanos);

        private final Right right;

        Process(Right right) {
            this.right = right;
        }

        Lease held() {
            return Objects.requireNonNull(right.current());
        }

        /** Renews, or claims, as often as it is due. */
        Process step() throws Exception {
            client.step(List.of(right), false);
            return this;
        }

        Process renew() throws Exception {
            client.step(List.of(right), true);
            return this;
        }
    }

    private long local = START;

    private long atStore = START;

    private long nanos;

    private final ConcurrentHashMap<String, Row> rows = new ConcurrentHashMap<>();

    private final MemoryLedger ledger = new MemoryLedger(rows, () -> atStore);

    @BeforeEach
    void begin() {
        ledger.write(List.of(Change.create(Ledger.STORE, "created", 0, Row.State.NEW, Fields.NONE)));
    }

    private Process worker() {
        return worker(0, 2);
    }

    private Process worker(long first, long last) {
        return new Process(Right.worker(new Right.Numbers(first, last), false, "me"));
    }

    private void pass(long millis) {
        local += millis;
        atStore += millis;
        nanos += TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private StoreHeader header() {
        return new StoreHeader(Objects.requireNonNull(rows.get(StoreHeader.NAME)));
    }

    private void close() {
        ledger.write(List.of(header().in(Row.State.CLOSED).by("a command", "").change("closed")));
    }

    private Row row(long worker) {
        return Objects.requireNonNull(rows.get(StoreHeader.worker(worker)));
    }

    private static void assertRefused(Process process, String text) {
        assertThatThrownBy(process::step)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(text);
    }

    @Test
    void theLowestFreeNumberIsClaimedForAWindow() throws Exception {
        assertThat(worker().step().held().row().name()).isEqualTo("@worker/0");
        assertThat(worker().step().held().row().name()).isEqualTo("@worker/1");
        Lease third = worker().step().held();

        assertThat(third.row().name()).isEqualTo("@worker/2");
        assertThat(third.from()).isEqualTo(START);
        assertThat(third.bound()).isEqualTo(START + WINDOW);
    }

    @Test
    void aWindowIsRenewedInOneTripWhenHalfOfItIsOver() throws Exception {
        Process process = worker().step();
        pass(WINDOW / 2 - 1);
        assertThat(process.right.isDue(nanos)).isFalse();
        pass(1);
        int reads = process.store.reads;
        int writes = process.store.writes;
        process.step();

        assertThat(process.held().from()).isEqualTo(START);
        assertThat(process.held().bound()).isEqualTo(START + WINDOW / 2 + WINDOW);
        assertThat(process.store.reads).isEqualTo(reads);
        assertThat(process.store.writes).isEqualTo(writes + 1);
    }

    /** A transaction of somebody else holds it. */
    @Test
    void aRowThatCantBeChangedStopsNoOtherRightAndIsNotAskedForAllTheTime() throws Exception {
        Process process = worker().step();
        Right other = Right.worker(new Right.Numbers(0, 2), false, "me");
        List<Right> both = List.of(process.right, other);
        process.client.step(both, false);
        pass(WINDOW / 2);
        process.store.locked = "@worker/0";
        int writes = process.store.writes;

        assertThatThrownBy(() -> process.client.step(both, false))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("A row of leases is as expected, but can't be changed for now: @worker/0 on memory."
                        + " If a transaction holds it, end that");
        assertThat(process.store.writes).isEqualTo(writes + 2);
        assertThat(Objects.requireNonNull(other.current()).bound()).isEqualTo(START + WINDOW / 2 + WINDOW);

        process.store.locked = "";
        process.client.step(both, false);
        assertThat(process.held().bound()).isEqualTo(START + WINDOW / 2 + WINDOW);
    }

    @Test
    void theNumberOfADeadOwnerIsFreeOnceItsWindowIsOverAndTheNextWindowBeginsThere() throws Exception {
        worker(0, 0).step();
        pass(WINDOW - 1);
        assertRefused(worker(0, 0), "The worker number is taken: 0 of memory. ");
        pass(1);

        Lease next = worker(0, 0).step().held();

        assertThat(next.from()).isEqualTo(START + WINDOW);
    }

    @ParameterizedTest
    @CsvSource({"-1, 0", "0, -1"})
    void aNumberIsNotFreeBeforeItsWindowIsOverByBothClocks(long ofProcess, long ofStore) throws Exception {
        worker(0, 0).step();
        pass(WINDOW);
        local += ofProcess;
        atStore += ofStore;

        assertRefused(worker(0, 0), "The worker number is taken");
    }

    @Test
    void noWindowBeginsBeforeTheClockThatAskedForIt() throws Exception {
        local += SKEW;
        assertThat(worker().step().held().from()).isEqualTo(local);
        local -= 2 * SKEW;
        Lease behind = worker().step().held();

        assertThat(behind.from()).isEqualTo(local);
        assertThat(behind.bound()).isEqualTo(local + WINDOW);
    }

    @Test
    void whatIsHandedBackIsFreeAtOnceAndTheNextWindowBeginsAboveTheLastId() throws Exception {
        Process first = worker(0, 0).step();
        pass(100);
        first.client.handBack(Map.of(first.right, START + 350));

        assertThat(row(0).number()).isEqualTo(START + 350);
        assertThat(worker(0, 0).step().held().from()).isEqualTo(START + 350);
    }

    @Test
    void aHandBackKeepsTheTimeThatWasUsedBeforeTheWindow() throws Exception {
        Process first = worker(0, 0).step();
        first.client.handBack(Map.of(first.right, 0L));

        assertThat(row(0).number()).isEqualTo(START);
    }

    @ParameterizedTest
    @ValueSource(longs = {SKEW + 1, -SKEW - 1})
    void aClockFarFromTheStoresIsRefusedAndReservesNothing(long off) {
        local += off;
        Process process = worker();

        assertRefused(process, "The local clock must be near the store's: clock=" + Instant.ofEpochMilli(local));
        assertRefused(process, "allowed: skew=250 ms. Set the clock");
        assertThat(rows).doesNotContainKey("@worker/0");
    }

    @Test
    void aClockThatJumpsForwardRenewsNothing() throws Exception {
        Process process = worker().step();
        pass(WINDOW / 2);
        Row before = row(0);
        local += SKEW + 1;

        assertRefused(process, "The local clock must be near the store's");
        assertThat(row(0)).isEqualTo(before);
        assertThat(process.held().bound()).isEqualTo(START + WINDOW);
    }

    @Test
    void aClockThatJumpsWhileTheStoreIsReadReservesNothing() {
        Process process = worker();
        process.store.beforeAnswer = () -> local += SKEW + 1;

        assertRefused(process, "The local clock must be near the store's");
        assertThat(rows).doesNotContainKey("@worker/0");
    }

    @Test
    void aSlowAnswerIsAskedForOnceMoreBeforeARightClockIsRefused() throws Exception {
        Process process = worker().step();
        pass(WINDOW / 2);
        process.store.answers.add(Answer.LOST_ON_THE_WAY);
        assertThatThrownBy(process::step).isInstanceOf(SQLException.class);
        process.store.beforeAnswer = () -> {
            pass(SKEW + 1);
            process.store.beforeAnswer = () -> {};
        };
        process.step();

        assertThat(process.held().from()).isEqualTo(START);
    }

    @Test
    void aSlowFirstAnswerIsAskedForOnceMoreToo() throws Exception {
        Process process = worker();
        process.store.beforeAnswer = () -> {
            pass(SKEW + 1);
            process.store.beforeAnswer = () -> {};
        };
        process.step();

        assertThat(process.held().bound()).isPositive();
    }

    @Test
    void theClocksDifferByHalfOfTheAnswersTimeLess() throws Exception {
        Process process = worker();
        process.store.beforeAnswer = () -> pass(200);
        process.step();

        assertThat(process.client.clockOffset()).contains(Duration.ofMillis(200 - 100));
    }

    @ParameterizedTest
    @EnumSource
    void aRenewalWithoutAGoodAnswerProlongsTheWindow(Answer answer) throws Exception {
        Process process = worker(0, 0).step();
        pass(WINDOW / 2);
        process.store.answers.add(answer);
        if (answer == Answer.REPEATED) {
            process.step();
        } else {
            assertThatThrownBy(process::step).isInstanceOf(SQLException.class);
            process.step();
        }
        process.store.arrive();

        assertThat(process.held().from()).isEqualTo(START);
        assertThat(process.held().bound()).isEqualTo(START + WINDOW / 2 + WINDOW);
        assertThat(process.held().row()).isEqualTo(row(0));
    }

    @ParameterizedTest
    @EnumSource
    void aClaimWithoutAGoodAnswerIsNeverOfTwo(Answer answer) throws Exception {
        worker(1, 1).step();
        Process process = worker(0, 0);
        process.store.answers.add(answer);
        if (answer == Answer.REPEATED) {
            process.step();
        } else {
            assertThatThrownBy(process::step).isInstanceOf(SQLException.class);
            process.store.arrive();
            process.step();
        }

        assertThat(process.held().row()).isEqualTo(row(0));
        assertRefused(worker(0, 0), "The worker number is taken");
    }

    @Test
    void aClaimThatIsOnItsWayLosesToAnotherOnce() throws Exception {
        worker(1, 1).step();
        Process late = worker(0, 0);
        late.store.answers.add(Answer.LATE);
        assertThatThrownBy(late::step).isInstanceOf(SQLException.class);
        Lease other = worker(0, 0).step().held();
        late.store.arrive();

        assertThat(row(0)).isEqualTo(other.row());
        assertRefused(late, "The worker number is taken");
        assertThat(late.right.current()).isNull();
    }

    @Test
    void aClaimWhoseWindowIsOverIsNotRepeated() throws Exception {
        worker(1, 1).step();
        Process process = worker(0, 0);
        process.store.answers.add(Answer.LATE);
        assertThatThrownBy(process::step).isInstanceOf(SQLException.class);
        pass(WINDOW);
        process.step();
        process.store.arrive();

        assertThat(process.held().from()).isEqualTo(START + WINDOW);
        assertThat(row(0)).isEqualTo(process.held().row());
    }

    @Test
    void whoWasPausedBeyondItsWindowGoesOnFromNowIfNobodyTookTheNumber() throws Exception {
        Process process = worker(0, 0).step();
        Lease before = process.held();
        pass(5 * WINDOW);
        process.step();

        assertThat(process.held().row()).isEqualTo(row(0));
        assertThat(process.held().from()).isEqualTo(local).isGreaterThanOrEqualTo(before.bound());
    }

    @Test
    void whoWasPausedBeyondItsWindowLeasesAnotherNumberIfItsOwnWasTaken() throws Exception {
        Process paused = worker().step();
        Lease before = paused.held();
        pass(WINDOW);
        Lease taken = worker().step().held();
        assertThat(taken.row().name()).isEqualTo("@worker/0");
        assertThat(paused.held()).as("until it looks").isSameAs(before);
        paused.step();

        assertThat(before.bound()).isLessThanOrEqualTo(taken.from());
        assertThat(paused.held().row().name()).isIn("@worker/1", "@worker/2");
    }

    /** The answer came after the window: another process may have had the number, and the store may have lost that. */
    @Test
    void aRenewalThatIsAnsweredTooLateIsConfirmedBeforeItIsUsed() throws Exception {
        Process process = worker(0, 0).step();
        pass(WINDOW - 1);
        process.store.afterWrite = () -> {
            pass(1);
            close();
            process.store.afterWrite = () -> {};
        };

        assertRefused(process, "A command has closed the store of leases");
        assertThat(process.held().bound()).as("as before").isEqualTo(START + WINDOW);
    }

    @Test
    void aClaimIsUsedOnlyIfTheHeaderIsAsBefore() throws Exception {
        worker(1, 1).step();
        Process process = worker(0, 0);
        process.store.afterWrite = () -> {
            close();
            process.store.afterWrite = () -> {};
        };

        assertRefused(process, "A command has closed the store of leases");
        assertThat(process.right.current()).isNull();
        assertThat(row(0).text().get("owner")).as("it was claimed").contains("me");
    }

    @Test
    void aNumberThatIsTakenWhileItIsHeldEndsAtOnceSinceOnlyACopyDoesThat() throws Exception {
        Process process = worker().step();
        Row copied = Change.replace(
                        row(0), "copy", START + 2 * WINDOW, Row.State.NONE, Fields.NONE.with("owner", "copy"))
                .next();
        rows.put(copied.name(), copied);
        pass(WINDOW / 2);
        process.step();

        assertThat(process.held().row().name()).isIn("@worker/1", "@worker/2");
        assertThat(row(0)).isEqualTo(copied);
    }

    @Test
    void aLossEndsTheRightOfItsOwnerAndNobodyClaimsUntilAllThatWasLostHasEnded() throws Exception {
        Process loser = worker().step();
        Process unharmed = worker().step();
        rows.remove("@worker/0");
        pass(WINDOW / 2);

        assertRefused(loser, "The store has lost leases at ");
        assertThat(loser.right.current()).isNull();
        for (long left = OVER; left > 0; left -= 100) {
            assertRefused(worker(), "Leases are given again in ");
            assertRefused(loser, "Leases are given again in ");
            unharmed.step();
            assertThat(unharmed.held().from()).isEqualTo(START);
            pass(100);
        }
        assertThat(loser.step().held().from()).isGreaterThanOrEqualTo(START + WINDOW / 2 + OVER);
        assertThat(unharmed.held().row()).isEqualTo(row(1));
        assertThat(worker().step().held().row().name())
                .isNotIn("@worker/1", loser.held().row().name());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRowThatWasSetBackIsLost(boolean isOtherHistory) throws Exception {
        Process process = worker().step();
        Row backup = row(0);
        pass(WINDOW / 2);
        process.step();
        rows.put(
                backup.name(),
                isOtherHistory
                        ? Change.replace(backup, "other", START + WINDOW, Row.State.NONE, Fields.NONE)
                                .next()
                        : backup);
        pass(WINDOW / 2);

        assertRefused(process, "Leases are given again in 3 s");
        assertThat(process.right.current()).isNull();
        assertRefused(worker(), "Leases are given again in 3 s");
    }

    @Test
    void aSecondLossBeginsTheWaitAnew() throws Exception {
        worker().step();
        rows.remove("@worker/0");
        assertRefused(worker(), "Leases are given again in 3 s");
        pass(OVER - 1);
        assertRefused(worker(), "Leases are given again in 1 s");
        rows.remove("@worker/1");

        assertRefused(worker(), "Leases are given again in 3 s");
    }

    @Test
    void aLossThatCouldNotBeWrittenIsToldByTheNextLook() throws Exception {
        Process process = worker().step();
        rows.remove("@worker/0");
        process.store.answers.addAll(List.of(Answer.REPEATED, Answer.LOST_ON_THE_WAY));
        assertThatThrownBy(process::renew).isInstanceOf(SQLException.class);
        assertThat(process.right.current()).as("ended at once").isNull();

        assertRefused(process, "Leases are given again in 3 s");
        assertThat(header().lost()).isEqualTo(START);
    }

    @Test
    void aLossIsKnownUntilItIsTold() throws Exception {
        Process process = worker().step();
        Row old = row(0);
        process.renew();
        rows.put(old.name(), old);
        process.store.answers.addAll(List.of(Answer.LOST_ON_THE_WAY, Answer.LOST_ON_THE_WAY, Answer.LOST_ON_THE_WAY));
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(process::renew).isInstanceOf(SQLException.class);
        }

        assertRefused(process, "Leases are given again in 3 s");
        assertThat(header().lost()).isEqualTo(START);
        assertThat(process.right.current()).isNull();
    }

    @Test
    void aLossIsToldEvenIfTheHeaderHasChangedMeanwhile() throws Exception {
        worker().step();
        rows.remove(StoreHeader.worker(1));
        Process other = worker();
        other.store.beforeWrite = () -> {
            other.store.beforeWrite = () -> {};
            ledger.write(List.of(header().burnt(100).change("burns")));
        };

        assertRefused(other, "Leases are given again in 3 s");
        assertThat(header().burnt()).isEqualTo(100);
        assertThat(header().lost()).isEqualTo(START);
    }

    @Test
    void aStepThatHasNothingToDoAsksForNothing() throws Exception {
        Process process = worker().step();
        int calls = process.store.reads + process.store.writes;
        for (int i = 0; i < 50; i++) {
            process.step();
        }

        assertThat(process.store.reads + process.store.writes).isEqualTo(calls);
    }

    @Test
    void aReadThatIsBehindIsNoLoss() throws Exception {
        Process process = worker().step();
        Map<String, Row> old = Map.copyOf(rows);
        pass(WINDOW / 2);
        process.step();
        process.store.shown = page -> new Page(old, page.time());
        pass(WINDOW / 2);
        process.store.answers.add(Answer.LOST_ON_THE_WAY);
        assertThatThrownBy(process::step).isInstanceOf(SQLException.class);
        process.step();

        assertThat(header().lost()).isZero();
        assertThat(process.held().from()).isEqualTo(START);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aStoreThatIsAnotherGetsNoChangeAndTheWindowGoesOn(boolean isEmpty) throws Exception {
        Process process = worker().step();
        rows.clear();
        if (!isEmpty) {
            begin();
            worker().step();
        }
        Map<String, Row> before = Map.copyOf(rows);
        pass(WINDOW / 2);

        assertRefused(process, "The store of leases is another one than before, or was emptied: memory token=");
        assertThat(process.held().bound()).isEqualTo(START + WINDOW);
        assertThat(rows).isEqualTo(before);
    }

    @Test
    void anEmptyStoreIsNotBegun() {
        rows.clear();

        assertRefused(worker(), "The store of leases was never used, or was emptied: memory. Begin it:");
        assertThat(rows).isEmpty();
    }

    @Test
    void aNewWindowHasTheLengthThatTheStoreSays() throws Exception {
        Process process = worker().step();
        ledger.write(
                List.of(header().windows(new StoreHeader.Terms(5_000, SKEW)).change("longer")));
        pass(WINDOW / 2);
        for (int i = 0; i < 21; i++) {
            process.renew();
        }

        assertThat(process.held().bound()).isEqualTo(local + 5_000);
    }

    @Test
    void aNumberForOneUseIsNeverGivenAgain() throws Exception {
        Right.Numbers all = new Right.Numbers(0, 3);
        assertThat(worker().client.takeForSingleUse(all)).isZero();
        Process lost = worker();
        lost.store.answers.add(Answer.LOST);
        assertThatThrownBy(() -> lost.client.takeForSingleUse(all)).isInstanceOf(SQLException.class);

        assertThat(lost.client.takeForSingleUse(all))
                .as("it does not know of its own")
                .isEqualTo(2);
        pass(Duration.ofDays(365).toMillis());
        assertThat(worker().client.takeForSingleUse(all)).isEqualTo(3);
        assertThatThrownBy(() -> worker().client.takeForSingleUse(all))
                .isInstanceOf(NoFreeNumberException.class)
                .hasMessageStartingWith(
                        "All worker numbers are used up: 0 to 3 of memory, the next one would be 4. Choose a larger");
    }

    @Test
    void aNumberForOneUseIsNotGivenAgainByAStoreThatWasSetBack() throws Exception {
        Process process = worker();
        Right.Numbers all = new Right.Numbers(0, 9);
        assertThat(process.client.takeForSingleUse(all)).isZero();
        Row backup = header().row();
        assertThat(process.client.takeForSingleUse(all)).isEqualTo(1);
        rows.put(backup.name(), backup);

        assertThatThrownBy(() -> process.client.takeForSingleUse(all))
                .hasMessageContaining("The store has lost leases");
        pass(OVER);
        assertThat(worker().client.takeForSingleUse(all)).isEqualTo(2);
    }

    @Test
    void numbersForOneUseAreAboveThoseThatAreLeased() throws Exception {
        worker(0, 9).step();
        assertThat(worker().client.takeForSingleUse(new Right.Numbers(0, 9_999)))
                .isEqualTo(10);
        for (int i = 1; i < 10; i++) {
            worker(0, 99).step();
        }

        assertThatThrownBy(worker(0, 99)::step).isInstanceOf(NoFreeNumberException.class);
    }

    @Test
    void theErrorNamesTwentyOwners() throws Exception {
        for (int i = 0; i < 25; i++) {
            worker(0, 24).step();
        }

        assertThatThrownBy(worker(0, 24)::step)
                .isInstanceOf(NoFreeNumberException.class)
                .hasMessageStartingWith("All worker numbers are taken: 0 to 24 of memory. Stop one of their owners, or"
                        + " choose a layout with more bits of worker. @worker/")
                .satisfies(e ->
                        assertThat(e.getMessage().split(" by me until ", -1)).hasSize(21));
    }

    @Test
    void whoIsAlwaysRefusedIsToldSo() throws Exception {
        Process process = worker(0, 0).step();
        process.client.handBack(Map.of(process.right, START));
        Process other = worker(0, 0);
        // Others change the row between each look and the request.
        other.store.beforeAnswer = () -> {
            Page shown = ledger.read(List.of("@worker/0"), true);
            Row row = shown.row("@worker/0");
            other.store.shown = page -> new Page(Map.of(StoreHeader.NAME, header().row(), row.name(), row), atStore);
            rows.put(
                    row.name(),
                    Change.replace(row, "other" + other.store.reads, START, Row.State.NONE, Fields.NONE)
                            .next());
        };

        assertThatThrownBy(other::step)
                .isInstanceOf(IdUnavailableException.class)
                .hasMessage("Others were faster, 40 times: memory. Try again");
    }

    private Process strict(String owner) throws Exception {
        Process process = new Process(Right.exclusive(
                StoreHeader.STRICT,
                new Right.Claims() {
                    @Override
                    public long from(long now) {
                        return now;
                    }

                    @Override
                    public long bound(@Nullable Lease held, long from, long now) {
                        return Math.max(from, now) + WINDOW;
                    }
                },
                LEASE_NANOS,
                owner));
        Row unused = process.client.layout("photos", Fields.NONE);
        return process;
    }

    @Test
    void oneProcessIsActiveUntilItsRowWasSeenUnchangedForALeaseAndAHundredth() throws Exception {
        Process active = strict("one").step();
        Process standby = strict("two").step();
        assertThat(standby.right.current()).isNull();
        assertThat(Optional.ofNullable(standby.right.other()).map(LeaseProtocol::owner))
                .contains("one");
        pass(WINDOW);
        assertThat(active.right.isUsable(active.held(), nanos)).isFalse();
        pass(WINDOW / 100 - 1);
        assertThat(standby.step().right.current()).isNull();
        pass(1);
        try (LoggedWarnings log = LoggedWarnings.of(LeaseClient.class)) {
            log.setLevel(Level.INFO);
            standby.step();
            standby.step();
            assertThat(log.messages()).singleElement().asString().startsWith("This process is active now");
        }

        assertThat(standby.held().from()).isGreaterThanOrEqualTo(active.held().bound());
        assertThat(standby.right.takeovers()).isEqualTo(1);
        assertThat(active.step().right.other()).isNotNull();
    }

    @Test
    void aRenewalKeepsTheOthersWaitingWhateverTheClocksSay() throws Exception {
        Process active = strict("one").step();
        Process standby = strict("two").step();
        for (int i = 0; i < 10; i++) {
            pass(WINDOW / 3);
            local += SKEW / 2;
            active.step();
            local -= SKEW;
            assertThat(standby.step().right.current()).isNull();
            local += SKEW / 2;
        }

        assertThat(active.held().bound()).isGreaterThan(local);
    }

    @Test
    void aStrictRightThatWasHandedBackIsTakenAtOnceAboveItsLastId() throws Exception {
        Process active = strict("one").step();
        Process standby = strict("two").step();
        active.client.handBack(Map.of(active.right, START + 77));

        assertThat(standby.step().held().from()).isEqualTo(START + 77);
    }

    @Test
    void aStrictRowThatIsLostIsWaitedForByAll() throws Exception {
        Process active = strict("one").step();
        Process standby = strict("two").step();
        rows.remove(StoreHeader.STRICT);
        pass(WINDOW / 3 + 1);

        assertRefused(active, "Leases are given again in 3 s");
        assertThat(active.right.current()).isNull();
        assertRefused(standby, "Leases are given again in 3 s");
        pass(OVER);
        standby.step();

        assertThat(standby.held().from()).isGreaterThanOrEqualTo(START + OVER);
    }

    @Test
    void eachSequenceHasOneRowOfItsLayoutWhoeverAsksFirst() throws Exception {
        Process one = worker();
        Process other = worker();
        Row photos = one.client.layout("photos", Fields.NONE.with("layout", "a"));

        assertThat(other.client.layout("photos", Fields.NONE.with("layout", "b")))
                .isEqualTo(photos);
        assertThat(other.client.layout("users", Fields.NONE).name()).isEqualTo("@layout/1");
        assertThat(one.client.layout("photos", Fields.NONE)).isEqualTo(photos);
        assertThat(header().layouts()).as("whose loss anybody notices").isEqualTo(2);
    }
}
