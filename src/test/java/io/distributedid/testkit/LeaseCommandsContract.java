package io.distributedid.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.lease.Lease;
import io.distributedid.internal.lease.LeaseRunner;
import io.distributedid.internal.lease.LeaseStore;
import io.distributedid.internal.lease.Right;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.lease.StoreOperator;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.process.Platform;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What an operator's commands do with every store of leases, also if they are cut off. */
public abstract class LeaseCommandsContract extends LeaseStoreContract {

    private static StoreOperator operator(LeaseStore store) {
        return new StoreOperator(store, Platform.JVM, false);
    }

    /** A store of which a number was used up to this value, and is free. */
    private long used(LeaseRunner runner) {
        Right right = taken(runner, 7, 7);
        Row unused = runner.layout("photos", Fields.NONE.with("layout", "old"));
        long used = held(right).from() + 10;
        runner.release(Map.of(right, used));
        return used;
    }

    private void assertGoesOn(LeaseStore store, long used) {
        Right next = worker(7, 7);
        LeaseRunner runner = runner(store, LONG);
        Await.until("it goes on", () -> takes(runner, next));
        assertThat(held(next).from()).isGreaterThanOrEqualTo(used);
    }

    // Begin.

    @Test
    void anEmptiedStoreIsBegunByACommandAndWaitsForWhatItMayHaveForgotten() throws Exception {
        LeaseRunner runner = runner(store(test()), SHORT);
        Right right = taken(runner, 7, 7);
        Lease forgotten = held(right);
        delete(test(), readAll(store()).rows().keySet());

        long opens = operator(store()).init(SHORT, true);

        assertThat(opens).isGreaterThan(forgotten.bound());
        assertThatThrownBy(() -> taken(runner, 0, 1_023)).hasMessageContaining("not the same as before");
        assertThatThrownBy(() -> taken(runner(store(test()), SHORT), 7, 7))
                .hasMessageContaining("Leases are given again in ");
        assertGoesOn(store(test()), opens);
        assertThat(operator(store()).init(SHORT, true)).as("again").isZero();
    }

    @Test
    void windowsChangeOnlyWhileNothingIsLeased() throws Exception {
        LeaseRunner runner = runner(store(test()), MIDDLE);
        Right right = taken(runner, 7, 7);
        assertThatThrownBy(() -> operator(store()).init(LONG, true))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A process runs, or was killed a moment ago: ")
                .hasMessageContaining(", @worker/7 by process ");
        long used = held(right).from() + 10;
        runner.release(Map.of(right, used));

        assertThat(operator(store()).init(LONG, true)).isZero();

        assertThat(header(store()).window()).isEqualTo(LONG.window());
        assertGoesOn(store(test()), used);
    }

    // Repair.

    @Test
    void aStoreThatACommandLeftClosedIsOpenedByRepair() throws Exception {
        used(runner(store(test()), SHORT));
        TroubledLeaseStore cut = new TroubledLeaseStore(store());
        cut.failAt(1, true);
        assertThatThrownBy(() -> operator(cut).init(LONG, true))
                .isInstanceOf(IdUnavailableException.class)
                .hasMessageEndingWith(" said: The connection broke. Repeat the command");
        assertThatThrownBy(() -> taken(runner(store(test()), SHORT), 7, 7))
                .hasMessageStartingWith("A command has closed the store of leases, and has not ended yet: ");

        long opens = operator(store()).repair();

        assertThat(header(store()).window()).isEqualTo(SHORT.window());
        assertGoesOn(store(test()), opens);
    }

    /** Else the next start would find them missing, and wait again. */
    @Test
    void aRepairCreatesTheRowsThatAreMissing() throws Exception {
        used(runner(store(test()), SHORT));
        delete(test(), Set.of(StoreHeader.worker(3)));

        long opens = operator(store()).repair();

        assertThat(readAll(store()).row(StoreHeader.worker(3)).number()).isEqualTo(opens);
        assertGoesOn(store(test()), opens);
    }

    @Test
    void aRestoredCopyOnAnotherServerOpensThereOnlyAfterRepair() throws Exception {
        used(runner(store(test()), SHORT));
        if (header(store()).row().text().get("server").orElse("").isEmpty()) {
            return; // This store can't be told from a copy.
        }
        delete(test(), Set.of(StoreHeader.worker(3)));
        TroubledLeaseStore copy = new TroubledLeaseStore(store());
        copy.become("another server");
        assertThatThrownBy(() -> taken(runner(copy, SHORT), 0, 1_023))
                .hasMessageContaining(" The store names another server than this one: server=");

        long opens = operator(copy).repair();

        assertGoesOn(copy, opens);
        assertThat(readAll(store()).rows()).containsKey(StoreHeader.worker(3));
    }

    // Layout.

    @Test
    void aLayoutChangesOnlyWhileNothingIsLeasedAndItsProcessesGoOn() throws Exception {
        LeaseRunner runner = runner(store(test()), LONG);
        StoreOperator.NewText text = (header, before, unused, time) ->
                new StoreOperator.Changed(before.with("layout", "new"), time - header.skew());
        Right right = taken(runner, 7, 7);
        Row old = runner.layout("photos", Fields.NONE.with("layout", "old"));
        assertThatThrownBy(() -> operator(store()).change("photos", text))
                .hasMessageStartingWith("A process runs, or was killed a moment ago: ");
        assertThat(readAll(store()).row(old.name()).text()).isEqualTo(old.text());
        long used = held(right).from() + 10;
        runner.release(Map.of(right, used));

        assertThat(operator(store()).change("photos", text).get("layout")).contains("old");

        LeaseRunner next = runner(store(test()), LONG);
        assertThat(next.layout("photos", Fields.NONE).text().get("layout")).contains("new");
        assertGoesOn(store(test()), used);
    }

    // Move.

    /** An answer of the source, or of the target, is lost. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aMoveThatIsCutOffAnywhereEndsWhenItIsRepeated(boolean isSource) throws Exception {
        boolean wasCut = true;
        for (int write = 1; wasCut; write++) {
            int from = another();
            int to = another();
            long used = used(runner(store(from), LONG));
            TroubledLeaseStore source = new TroubledLeaseStore(kept(store(from)));
            TroubledLeaseStore target = new TroubledLeaseStore(kept(store(to)));
            TroubledLeaseStore troubled = isSource ? source : target;
            troubled.failAt(write, true);
            wasCut = moveFails(source, target);
            assertThat(wasCut).isEqualTo(!troubled.willFail());
            assertThat(openOnes(source, target)).hasSizeLessThanOrEqualTo(1);

            assertThat(operator(source).move(target)).isZero();

            assertThat(openOnes(source, target)).containsExactly(target);
            assertThatThrownBy(() -> taken(runner(store(from), LONG), 7, 7))
                    .hasMessageStartingWith("The leases have moved from " + source.label() + " to " + target.label());
            assertThat(runner(store(to), LONG)
                            .layout("photos", Fields.NONE)
                            .text()
                            .get("layout"))
                    .contains("old");
            assertGoesOn(store(to), used);
            assertThat(write).isLessThan(20);
        }
    }

    private static boolean moveFails(LeaseStore source, LeaseStore target) {
        try {
            assertThat(operator(source).move(target)).isZero();
            return false;
        } catch (IdUnavailableException e) {
            return true;
        }
    }

    private static List<LeaseStore> openOnes(LeaseStore... stores) throws Exception {
        return Stream.of(stores).filter(LeaseCommandsContract::isOpen).toList();
    }

    private static boolean isOpen(LeaseStore store) {
        try {
            Row row = store.read(Set.of(StoreHeader.NAME), true).rows().get(StoreHeader.NAME);
            return row != null && row.state() == Row.State.OPEN;
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void leasesMoveAndMoveBackAndRunningProcessesKeepThem() throws Exception {
        int to = another();
        LeaseStore source = store();
        LeaseStore target = kept(store(to));
        LeaseRunner runner = runner(store(test()), MIDDLE);
        Right right = taken(runner, 7, 7);
        assertThatThrownBy(() -> operator(source).move(target))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("A process runs, or was killed a moment ago: ");
        Lease held = held(right);
        Lease renewed = runner.await(right, held, Await.PATIENCE);
        long used = renewed.from() + 10;
        runner.release(Map.of(right, used));

        assertThat(operator(source).move(target)).isZero();
        assertThat(operator(target).move(source)).isZero();

        assertGoesOn(store(test()), used);
        assertThatThrownBy(() -> taken(runner(store(to), MIDDLE), 7, 7))
                .hasMessageStartingWith("The leases have moved from ");
    }

    @Test
    void aStoreThatIsUsedIsNoTarget() throws Exception {
        int to = another();
        used(runner(store(test()), LONG));
        Right other = taken(runner(store(to), LONG), 7, 7);
        Page before = readAll(store());

        assertThatThrownBy(() -> operator(store()).move(kept(store(to))))
                .isInstanceOf(IdConfigurationException.class)
                .hasMessageStartingWith("The target of the move has leases of its own");

        assertThat(readAll(store()).rows()).isEqualTo(before.rows());
        assertThat(readAll(kept(store(to))).row(row(other)))
                .isEqualTo(held(other).row());
    }

    /** A process that slept through its window and the move. */
    @Test
    void whoeverIsForgottenGetsNothingMoreAfterAMove() throws Exception {
        int to = another();
        TroubledLeaseStore silent = new TroubledLeaseStore(store(test()));
        LeaseRunner sleeper = runner(silent, SHORT);
        Right right = taken(sleeper, 7, 7);
        silent.breakDown();
        LeaseStore source = store();
        LeaseStore target = kept(store(to));
        Await.every(
                Duration.ofMillis(100),
                Await.PATIENCE,
                "its window is over",
                () -> !isHeld(source, target),
                () -> readAll(source));
        silent.comeBack();

        assertThatThrownBy(() -> sleeper.await(right, right.current(), Await.PATIENCE))
                .hasMessageContaining("The leases have moved from " + source.label() + " to " + target.label());

        assertGoesOn(store(to), right.shown() == null ? 0 : right.shown().bound());
    }

    private static boolean isHeld(LeaseStore source, LeaseStore target) {
        try {
            assertThat(operator(source).move(target)).isZero();
            return false;
        } catch (IdConfigurationException e) {
            assertThat(e).hasMessageStartingWith("A process runs, or was killed a moment ago: ");
            return true;
        }
    }
}
