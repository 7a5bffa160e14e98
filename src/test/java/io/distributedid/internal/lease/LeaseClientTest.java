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
import io.distributedid.internal.process.Pages;
import io.distributedid.testkit.LoggedWarnings;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
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
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each client is a process. Their clocks, the store's clock and the monotonic one are set by the test. */
class LeaseClientTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 1_000;

    private static final long SKEW = 250;

    private static final StoreHeader.Terms TERMS = new StoreHeader.Terms(WINDOW, SKEW);

    private static final long LEASE_NANOS = TimeUnit.MILLISECONDS.toNanos(WINDOW);

    /** What happens to a request that changes rows. */
    private enum Answer {
        /** It is done, and the answer is lost. */
        LOST,
        LOST_ON_THE_WAY
    }

    private final class Store implements LeaseStore {

        private final Queue<Answer> answers = new ArrayDeque<>();

        private UnaryOperator<Page> shown = UnaryOperator.identity();

        private Runnable beforeAnswer = () -> {};

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
            Answer answer = answers.poll();
            Set<String> done = answer == Answer.LOST_ON_THE_WAY ? Set.of() : ledger.write(free(changes));
            if (answer != null) {
                throw new SQLException("connection reset", "08006");
            }
            return done;
        }

        private List<Change> free(List<Change> changes) {
            return changes.stream().filter(each -> !each.name().equals(locked)).toList();
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

    @Test
    void aThousandRightsAreRenewedInOneTrip() throws Exception {
        Process process = worker(0, 0);
        List<Right> rights = LongStream.range(0, 1_000)
                .mapToObj(number -> Right.worker(new Right.Numbers(number, number), false, "me"))
                .toList();
        for (Right each : rights) {
            process.client.step(List.of(each), false);
        }
        pass(WINDOW / 2);
        int reads = process.store.reads;
        int writes = process.store.writes;
        process.client.step(rights, false);

        assertThat(rights)
                .allSatisfy(right -> assertThat(
                                Objects.requireNonNull(right.current()).bound())
                        .isEqualTo(START + WINDOW / 2 + WINDOW));
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
                .hasMessage("A row of leases is as expected, but can't be changed for now: @worker/0 on memory. If a"
                        + " transaction holds the row, end the transaction" + Pages.onCall("lease-row-locked"));
        assertThat(process.store.writes).isEqualTo(writes + 2);
        assertThat(Objects.requireNonNull(other.current()).bound()).isEqualTo(START + WINDOW / 2 + WINDOW);

        process.store.locked = "";
        process.client.step(both, false);
        assertThat(process.held().bound()).isEqualTo(START + WINDOW / 2 + WINDOW);
    }

    /** The look showed it as expected. */
    @Test
    void aRowThatOthersTakeBeforeTheRequestArrivesIsTaken() throws Exception {
        Process process = worker(0, 0).step();
        pass(WINDOW / 2);
        process.store.locked = "@worker/0";
        process.store.beforeAnswer = () -> {
            Row row = ledger.read(List.of("@worker/0"), true).row("@worker/0");
            rows.put(
                    row.name(),
                    Change.replace(row, "other", START + 3 * WINDOW, Row.State.NONE, Fields.NONE)
                            .next());
            process.store.locked = "";
            process.store.beforeAnswer = () -> {};
        };

        assertRefused(process, "The worker number is taken: 0 of memory. ");
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

    @ParameterizedTest
    @ValueSource(longs = {SKEW + 1, -SKEW - 1})
    void aClockFarFromTheStoresIsRefusedAndReservesNothing(long off) {
        local += off;
        Process process = worker();

        assertRefused(process, "The local clock must be near the store's: clock=" + Instant.ofEpochMilli(local));
        assertRefused(process, "allowed: skew=250 ms. Set the clock" + Pages.onCall("clock-skew"));
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

    @Test
    void aStepThatHasNothingToDoAsksForNothing() throws Exception {
        Process process = worker().step();
        int calls = process.store.reads + process.store.writes;
        for (int i = 0; i < 50; i++) {
            process.step();
        }

        assertThat(process.store.reads + process.store.writes).isEqualTo(calls);
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

        assertRefused(process, "The store of leases is not the same as before, or was emptied: memory token=");
        assertThat(process.held().bound()).isEqualTo(START + WINDOW);
        assertThat(rows).isEqualTo(before);
    }

    @Test
    void anEmptyStoreIsNotBegun() {
        rows.clear();

        assertRefused(worker(), "The store of leases was never used, or was emptied: memory. Initialise it:");
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
                .hasMessage("Other processes were faster, 40 times: memory. Try again");
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
