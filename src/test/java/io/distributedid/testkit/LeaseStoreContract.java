package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdStandbyException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.NoFreeNumberException;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Pages;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What leases need of every store. Runners with a connection of their own play the processes. */
public abstract class LeaseStoreContract {

    /** Rights of tests that are not about time last. */
    static final StoreHeader.Terms LONG = new StoreHeader.Terms(3_600_000, 900_000);

    /** The shortest that settings allow. */
    static final StoreHeader.Terms SHORT = new StoreHeader.Terms(1_000, 250);

    /** Long enough to be looked at on a busy machine. */
    static final StoreHeader.Terms MIDDLE = new StoreHeader.Terms(6_000, 1_500);

    private static final long HOUR = 3_600_000;

    private static final int RIVALS = 6;

    private static final AtomicInteger TESTS = new AtomicInteger();

    private final int test = TESTS.incrementAndGet();

    private final List<LeaseRunner> runners = new ArrayList<>();

    private final List<LeaseStore> stores = new ArrayList<>();

    /**
     * Another client of a store that its first client begins.
     *
     * @param number different for each store
     */
    protected abstract LeaseStore store(int number);

    /** Deletes rows, as nobody but a fault or an operator does. */
    protected abstract void delete(int number, Collection<String> names) throws Exception;

    @AfterEach
    void close() {
        runners.forEach(LeaseRunner::abandon);
        stores.forEach(LeaseStore::close);
    }

    LeaseStore store() {
        return kept(store(test));
    }

    LeaseStore kept(LeaseStore store) {
        stores.add(store);
        return store;
    }

    LeaseRunner runner(LeaseStore store, StoreHeader.Terms terms) {
        return runner(store, terms, 0);
    }

    LeaseRunner runner(LeaseStore store, StoreHeader.Terms terms, long shiftMillis) {
        InstantSource clock = () -> Instant.now().plusMillis(shiftMillis);
        LeaseRunner runner = new LeaseRunner(store, terms, clock, Platform.JVM);
        synchronized (runners) {
            runners.add(runner);
        }
        return runner;
    }

    LeaseRunner runner(StoreHeader.Terms terms) {
        return runner(store(test), terms);
    }

    static Right worker(long first, long last) {
        return Right.worker(new Right.Numbers(first, last), false, "process " + UUID.randomUUID());
    }

    /** Takes one of these numbers. */
    static Right taken(LeaseRunner runner, long first, long last) {
        Right right = worker(first, last);
        runner.take(right, Duration.ZERO);
        return right;
    }

    static Lease held(Right right) {
        return Objects.requireNonNull(right.current());
    }

    static String row(Right right) {
        return held(right).row().name();
    }

    /** All rows that the header counts, and the header. */
    static Page readAll(LeaseStore store) throws Exception {
        Page first = store.read(Set.of(StoreHeader.NAME), true);
        Set<String> names = new LinkedHashSet<>(Set.of(StoreHeader.NAME, StoreHeader.STRICT));
        Row row = first.rows().get(StoreHeader.NAME);
        if (row != null) {
            StoreHeader header = new StoreHeader(row);
            LongStream.range(0, header.workers()).mapToObj(StoreHeader::worker).forEach(names::add);
            LongStream.range(0, header.layouts()).mapToObj(StoreHeader::layout).forEach(names::add);
        }
        return store.read(names, true);
    }

    static StoreHeader header(LeaseStore store) throws Exception {
        return new StoreHeader(store.read(Set.of(StoreHeader.NAME), true).row(StoreHeader.NAME));
    }

    // What it costs.

    @Test
    void manyRightsAreRenewedInOneTrip() throws Exception {
        TroubledLeaseStore counted = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(counted, LONG);
        List<Right> rights =
                IntStream.range(0, 200).mapToObj(i -> taken(runner, i, i)).toList();
        List<Lease> before = rights.stream().map(LeaseStoreContract::held).toList();
        int unused = counted.takeCalls();
        unused = takeTrips();

        Lease renewed = runner.await(rights.get(0), before.get(0), Await.PATIENCE);

        assertThat(counted.takeCalls()).isEqualTo(1);
        assertThat(takeTrips()).isLessThanOrEqualTo(1);
        assertThat(renewed.bound()).isGreaterThan(before.get(0).bound());
        for (int i = 0; i < rights.size(); i++) {
            assertThat(held(rights.get(i))).isNotSameAs(before.get(i));
        }
        Map<String, Row> rows = readAll(store()).rows();
        assertThat(rights)
                .allSatisfy(right ->
                        assertThat(rows.get(row(right))).isEqualTo(held(right).row()));
    }

    /** The trips to the server since the last call; 0 if they are not counted. */
    protected int takeTrips() {
        return 0;
    }

    @Test
    void aStartBesideAThousandProcessesTakesAFewTrips() throws Exception {
        LeaseStore store = store();
        Right last = taken(runner(LONG), 1_000, 1_023);
        assertThat(row(last)).isEqualTo(StoreHeader.worker(1_000));
        Page page = readAll(store);
        List<Change> claims = LongStream.range(0, 1_000)
                .mapToObj(number -> page.row(StoreHeader.worker(number)))
                .map(row -> Change.replace(
                        row,
                        UUID.randomUUID().toString(),
                        page.time() + HOUR,
                        Row.State.NONE,
                        Fields.NONE.with("owner", "another").with("lease", HOUR * 1_000_000)))
                .toList();
        assertThat(store.write(claims)).hasSize(1_000);
        TroubledLeaseStore counted = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(counted, LONG);
        int unused = takeTrips();

        Right right = taken(runner, 0, 1_023);

        assertThat(counted.takeCalls())
                .as("two reads, the claim, and its confirmation")
                .isEqualTo(4);
        assertThat(takeTrips())
                .as("4, 3 of a wait for Galera, and those of a new connection: its mode, 7 checks, 2 of its identity")
                .isLessThanOrEqualTo(17);
        assertThat(held(right).row().number()).isGreaterThan(page.time());
        assertThat(row(right)).isNotIn(claims.stream().map(Change::name).toList());
    }

    // Who gets a number.

    @Test
    void ofProcessesThatClaimOneNumberAtOnceOneGetsIt() throws Exception {
        assertOneGetsIt(List.of(store(test), store(test), store(test), store(test)));
    }

    /** Each of these stores is that of a process. */
    protected final void assertOneGetsIt(List<LeaseStore> clients) throws Exception {
        List<Right> rights = clients.stream().map(each -> worker(7, 7)).toList();
        List<Boolean> got = Together.run(clients.size(), process -> {
            try {
                runner(clients.get(process), LONG).take(rights.get(process), Duration.ZERO);
                return true;
            } catch (NoFreeNumberException e) {
                assertThat(e).hasMessageStartingWith("The worker number is taken: 7 of ");
                return false;
            }
        });

        assertThat(got).containsOnlyOnce(true);
        Right holder = rights.get(got.indexOf(true));
        assertThat(row(holder)).isEqualTo(StoreHeader.worker(7));
        assertThat(readAll(kept(store(test))).row(StoreHeader.worker(7)))
                .isEqualTo(held(holder).row());
    }

    protected final int test() {
        return test;
    }

    /** The number of another store. */
    static int another() {
        return TESTS.incrementAndGet();
    }

    @Test
    void processesThatStartAtOnceGetNumbersOfTheirOwn() throws Exception {
        List<Right> rights = Together.run(RIVALS, process -> taken(runner(LONG), 0, 1_023));

        assertThat(rights.stream().map(LeaseStoreContract::row)).doesNotHaveDuplicates();
        assertThat(header(store()).workers()).isEqualTo(64);
    }

    @Test
    void theNextHolderBeginsWhereTheLastOneEnded() throws Exception {
        LeaseRunner first = runner(LONG);
        Right right = taken(first, 7, 7);
        long unused = held(right).from() + 100;
        first.release(Map.of(right, unused));

        Right next = worker(7, 7);
        runner(LONG).take(next, Await.PATIENCE);

        assertThat(held(next).from()).isGreaterThanOrEqualTo(unused);
    }

    @Test
    void theNumberOfAProcessThatDiedIsFreeAfterItsWindowAndNotBefore() {
        LeaseRunner dead = runner(MIDDLE);
        Right right = taken(dead, 7, 7);
        dead.abandon();
        LeaseRunner successor = runner(MIDDLE);
        Right next = worker(7, 7);
        assertThatThrownBy(() -> taken(runner(MIDDLE), 7, 7)).isInstanceOf(NoFreeNumberException.class);

        successor.take(next, Await.PATIENCE);

        Lease after = Objects.requireNonNull(next.current());
        assertThat(after.from()).isGreaterThanOrEqualTo(bound(right));
        assertThat(after.row().version().count()).isGreaterThan(1);
    }

    private static long bound(Right right) {
        return Objects.requireNonNull(right.shown()).bound();
    }

    // Answers, clocks.

    @Test
    void aClaimWhoseAnswerWasLostIsFoundAgain() throws Exception {
        TroubledLeaseStore store = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(store, LONG);
        Right first = taken(runner, 0, 1_023);
        Right right = worker(0, 1_023);
        store.loseAnswer();
        assertThatThrownBy(() -> runner.take(right, Duration.ZERO))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageContaining(" said: The connection broke");
        assertThat(right.current()).isNull();

        runner.take(right, Duration.ZERO);

        assertThat(row(right)).isNotEqualTo(row(first));
        assertThat(owned(readAll(store()))).containsExactlyInAnyOrder(row(first), row(right));
    }

    @Test
    void aRenewalWhoseAnswerWasLostIsFoundAgain() throws Exception {
        TroubledLeaseStore store = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(store, LONG);
        Right right = taken(runner, 0, 1_023);
        Lease before = held(right);
        store.loseAnswer();

        Lease after = runner.await(right, before, Await.PATIENCE);

        assertThat(after.from()).isEqualTo(before.from());
        assertThat(after.bound()).isGreaterThan(before.bound());
        assertThat(after.row().version().count())
                .isEqualTo(before.row().version().count() + 1);
        assertThat(readAll(store()).row(row(right))).isEqualTo(after.row());
    }

    private static List<String> owned(Page page) {
        return page.rows().values().stream()
                .filter(row -> row.text().get("owner").isPresent())
                .map(Row::name)
                .toList();
    }

    /** Neither for a row nor for the header. */
    @Test
    void aStaleReadIsNoVerdict() throws Exception {
        TroubledLeaseStore store = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(store, LONG);
        Right right = taken(runner, 0, 1_023);
        Page stale = readAll(store);
        Row layout = runner.layout("photos", Fields.NONE);
        Lease renewed = runner.await(right, held(right), Await.PATIENCE);
        store.showStale(stale);

        Right second = taken(runner, 0, 1_023);

        assertThat(row(second)).isNotEqualTo(row(right));
        assertThat(runner.layout("photos", Fields.NONE)).isEqualTo(layout);
        assertThat(runner.await(right, renewed, Await.PATIENCE).bound()).isGreaterThanOrEqualTo(renewed.bound());
        assertThat(header(store()).opens()).isZero();
    }

    @Test
    void whileTheServersClockIsAheadNobodyGetsANumberWhoseWindowLasts() throws Exception {
        Right right = taken(runner(LONG), 7, 7);
        TroubledLeaseStore ahead = new TroubledLeaseStore(store(test));
        ahead.shift(3 * HOUR);
        String refusal = "The local clock must be near the store's: clock=";

        assertThatThrownBy(() -> taken(runner(ahead, LONG), 7, 7)).hasMessageStartingWith(refusal);
        assertThatThrownBy(() -> taken(runner(ahead, LONG), 0, 1_023)).hasMessageStartingWith(refusal);

        assertThat(readAll(store()).row(StoreHeader.worker(7)))
                .isEqualTo(held(right).row());
    }

    @Test
    void aProcessWhoseClockIsAsFarAheadAsTheServersBeginsBehindTheWindow() {
        Right right = taken(runner(LONG), 7, 7);
        TroubledLeaseStore ahead = new TroubledLeaseStore(store(test));
        ahead.shift(3 * HOUR);

        Right next = taken(runner(ahead, LONG, 3 * HOUR), 7, 7);

        assertThat(held(next).from()).isGreaterThanOrEqualTo(bound(right));
    }

    @Test
    void aServerWhoseClockWentBackFreesNoNumber() {
        LeaseRunner first = runner(LONG);
        Right right = taken(first, 7, 7);
        first.release(Map.of(right, held(right).from() + 100));
        TroubledLeaseStore behind = new TroubledLeaseStore(store(test));
        behind.shift(-3 * HOUR);

        assertThatThrownBy(() -> taken(runner(behind, LONG, -3 * HOUR), 7, 7))
                .isInstanceOf(NoFreeNumberException.class);
    }

    // Losses.

    @Test
    void anEmptiedStoreGivesNothingAndIsNotFilled() throws Exception {
        LeaseRunner runner = runner(LONG);
        Right right = taken(runner, 0, 1_023);
        Lease held = held(right);
        delete(test, readAll(store()).rows().keySet());

        assertThatThrownBy(() -> runner.await(right, held, Await.PATIENCE))
                .hasMessageContaining("The store of leases is not the same as before, or was emptied: ")
                .hasMessageContaining(" token=missing, it was token=");
        assertThatThrownBy(() -> taken(runner(LONG), 0, 1_023))
                .hasMessageStartingWith("The store of leases was never used, or was emptied: ")
                .hasMessageEndingWith(". Initialise it: distributedid init SEQ" + Pages.onCall("store-never-used"));
        assertThat(right.current()).isSameAs(held);
        assertThat(readAll(store()).rows()).isEmpty();
    }

    @Test
    void aStoreWithoutItsHeaderGivesNothing() throws Exception {
        LeaseRunner runner = runner(LONG);
        Right right = taken(runner, 0, 1_023);
        delete(test, Set.of(StoreHeader.NAME));

        assertThatThrownBy(() -> taken(runner, 0, 1_023)).hasMessageContaining("was emptied: ");
        assertThatThrownBy(() -> taken(runner(LONG), 0, 1_023)).hasMessageContaining("distributedid init");
        assertThat(right.current()).isNotNull();
    }

    /** Whoever finds it: the owner, another process that runs, and one that has just started. */
    @Test
    void aRowThatIsLostStopsAllClaimsUntilItsOwnerCanNotUseItAnyMore() throws Exception {
        LeaseRunner runner = runner(SHORT);
        Right right = taken(runner, 7, 7);
        Lease lost = held(right);
        delete(test, Set.of(row(right)));

        assertThatThrownBy(() -> taken(runner(SHORT), 7, 7))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageStartingWith("The store has lost leases at ")
                .hasMessageContaining("Leases are given again in ");
        Await.until("its owner ends it", () -> right.current() == null);
        long opens = header(store()).opens();
        assertThat(opens).isGreaterThan(lost.bound());
        Right next = worker(7, 7);
        LeaseRunner successor = runner(SHORT);
        Await.until("it is given again", () -> takes(successor, next) || right.current() != null);

        Lease given = Stream.of(next, right)
                .map(Right::current)
                .filter(Objects::nonNull)
                .findFirst()
                .orElseThrow();
        assertThat(given.from()).isGreaterThanOrEqualTo(opens).isGreaterThanOrEqualTo(lost.bound());
        assertThat(header(store()).opens()).isZero();
    }

    static boolean takes(LeaseRunner runner, Right right) {
        if (right.current() != null) {
            return true;
        }
        try {
            runner.take(right, Duration.ZERO);
            return true;
        } catch (IdUnavailableException e) {
            return false;
        }
    }

    /** It holds the number that it had at the time of the copy, with a shorter window. */
    @Test
    void aStoreThatWasRestoredFromACopyIsNoticedByWhoeverKnowsMore() throws Exception {
        LeaseStore store = store();
        LeaseRunner runner = runner(LONG);
        Right early = taken(runner, 0, 1_023);
        Page copy = readAll(store);
        Lease renewed = runner.await(early, held(early), Await.PATIENCE);
        Right late = taken(runner, 0, 1_023);
        delete(test, readAll(store).rows().keySet());
        restore(store, copy);

        assertThatThrownBy(() -> runner.await(early, renewed, Await.PATIENCE))
                .hasMessageContaining("The store has lost leases at ");
        assertThat(early.current()).isNull();
        Await.until("the other one ends too", () -> late.current() == null);
        assertThat(header(store).opens()).isGreaterThan(renewed.bound());
        assertThatThrownBy(() -> taken(runner(LONG), 0, 1_023)).hasMessageContaining("Leases are given again in ");
    }

    private static void restore(LeaseStore store, Page copy) throws Exception {
        List<Change> rows = copy.rows().values().stream()
                .map(row -> new Change(Optional.empty(), row, false))
                .toList();
        assertThat(store.write(rows)).hasSameSizeAs(rows);
    }

    @Test
    void anAddressThatLeadsToAnotherStoreGivesNothingUntilItLeadsBack() throws Exception {
        int other = another();
        LeaseRunner there = runner(store(other), LONG);
        Right right = taken(there, 0, 1_023);
        Page before = readAll(kept(store(other)));
        TroubledLeaseStore switched = new TroubledLeaseStore(store(test));
        LeaseRunner runner = runner(switched, LONG);
        Right mine = taken(runner, 1, 1_023);
        Lease held = held(mine);
        switched.leadTo(kept(store(other)));

        assertThatThrownBy(() -> runner.await(mine, held, Await.PATIENCE))
                .hasMessageContaining("The store of leases is not the same as before, or was emptied: ");
        assertThatThrownBy(() -> taken(runner, 0, 1_023)).hasMessageContaining("not the same as before");
        assertThat(mine.current()).isSameAs(held);
        assertThat(readAll(kept(store(other))).rows()).isEqualTo(before.rows());
        assertThat(held(right).row()).isEqualTo(before.row(row(right)));
        switched.leadBack();

        Await.until("it goes on", () -> mine.current() != held);
    }

    // One process at a time.

    @Test
    void oneProcessAtATimeHasAFixedRowAndASuccessorTakesOverInTime() throws Exception {
        Duration lease = Duration.ofSeconds(1);
        List<Duration> afterStop = new ArrayList<>();
        List<Duration> afterDeath = new ArrayList<>();
        LeaseRunner active = strict(runner(LONG));
        Right right = exclusive(active, lease);
        for (int round = 0; round < 4; round++) {
            LeaseRunner standby = strict(runner(LONG));
            Right next = exclusive(standby, lease);
            Lease last = held(right);
            assertThatThrownBy(() -> standby.await(next, null, Await.PATIENCE)).isInstanceOf(IdStandbyException.class);
            long began = System.nanoTime();
            if (round % 2 == 0) {
                active.release(Map.of(right, last.from() + 10));
            } else {
                active.abandon();
            }
            Await.until("it takes over", () -> next.current() != null);
            (round % 2 == 0 ? afterStop : afterDeath).add(Duration.ofNanos(System.nanoTime() - began));
            assertThat(held(next).from()).isGreaterThanOrEqualTo(round % 2 == 0 ? last.from() + 10 : last.bound());
            active = standby;
            right = next;
        }

        // A machine may be busy, and not each time.
        assertThat(afterStop).anyMatch(each -> each.compareTo(Duration.ofSeconds(1)) < 0);
        assertThat(afterDeath).anyMatch(each -> each.compareTo(lease.plusSeconds(1)) < 0);
    }

    /** The row is there once a layout is. */
    private static LeaseRunner strict(LeaseRunner runner) {
        assertThat(runner.layout("orders", Fields.NONE).name()).isEqualTo(StoreHeader.layout(0));
        return runner;
    }

    private static Right exclusive(LeaseRunner runner, Duration lease) {
        Right right =
                Right.exclusive(StoreHeader.STRICT, new OneRow(), lease.toNanos(), "process " + UUID.randomUUID());
        runner.take(right, Duration.ZERO);
        return right;
    }

    private static final class OneRow implements Right.Claims {

        @Override
        public long from(long now) {
            return now;
        }

        @Override
        public long bound(@Nullable Lease held, long from, long now) {
            return Math.max(from, now) + 1_000;
        }
    }
}
