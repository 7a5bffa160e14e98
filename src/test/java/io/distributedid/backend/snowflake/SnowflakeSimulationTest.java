package io.distributedid.backend.snowflake;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.backend.snowflake.lease.LeaseTerms;
import io.distributedid.backend.snowflake.lease.SimulatedClient;
import io.distributedid.backend.snowflake.lease.SimulatedStore;
import io.distributedid.backend.snowflake.lease.WorkerRow;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Leased worker numbers at scale, in simulated time. {@code -Dsimulation.seed=...} repeats a run,
 * {@code -Dsimulation.scale=5} makes it five times as long.
 */
@Tag("slow")
@Tag("model")
class SnowflakeSimulationTest {

    private static final long SEED = Long.getLong("simulation.seed", System.nanoTime());

    private static final int SCALE = Integer.getInteger("simulation.scale", 1);

    private static final int RESTARTS = 10_000;

    private static final long LENGTH = 120 * Simulation.MINUTE;

    /** Says of each number that is lost what is expected here. */
    private static final Logger TENANTS = Logger.getLogger("io.distributedid.backend.snowflake.lease.StoreClient");

    @BeforeAll
    static void logNothing() {
        TENANTS.setLevel(Level.OFF);
    }

    @AfterAll
    static void logAgain() {
        TENANTS.setLevel(null);
    }

    @Test
    void noIdIsMadeTwiceBy1100NodesThatShare1024NumbersWhateverFails() {
        System.out.println("simulation.seed=" + SEED + " simulation.scale=" + SCALE);
        Simulation world = simulate(SEED, 1_100, SCALE * LENGTH, SCALE * RESTARTS, 12 * Simulation.SECOND, true);
        world.runFor(10 * Simulation.MINUTE);
        IdLedger ledger = world.ledger();
        SimulatedStore store = world.store();
        IdLedger.Finding finding = ledger.find();
        System.out.println(ledger.ids() + " ids of " + ledger.numbersUsed() + " numbers in " + ledger.runs() + " runs ("
                + ledger.runs() * 20 / 1_000_000 + " MB), " + SCALE * LENGTH / Simulation.MINUTE
                + " simulated minutes");
        System.out.println(world.report() + ", " + store.takeovers() + " takeovers, " + store.conflicts()
                + " conflicts of " + store.writes() + " writes");
        world.report().refusals().forEach((reason, count) -> System.out.println("refused " + count + ": " + reason));

        assertThat(finding).isEqualTo(IdLedger.Finding.NONE);
        assertThat(ledger.ids()).isGreaterThan(SCALE * 200_000_000L);
        assertThat(ledger.numbersUsed()).isEqualTo(1_024);
        assertThat(world.nodes().stream().filter(SimulatedNode::isRunning))
                .as("nodes that run again")
                .hasSizeGreaterThan(1_000);
        assertThat(world.report().restarts()).isEqualTo(SCALE * RESTARTS);
        assertThat(store.takeovers()).isGreaterThan(SCALE * 1_000L);
        assertThat(world.report().refusals().keySet())
                .anyMatch(reason -> reason.startsWith("The clock went back"))
                .anyMatch(reason -> reason.equals(SimulationReport.WINDOW_ENDED))
                .anyMatch(reason -> reason.startsWith("All worker numbers are taken"))
                .anyMatch(reason -> reason.startsWith("The local clock must be near"))
                .noneMatch(reason -> reason.startsWith("The store has forgotten"));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void aSeedDecidesEverything(long seed) {
        assertThat(summary(seed)).isEqualTo(summary(seed));
    }

    private static String summary(long seed) {
        Simulation world = simulate(seed, 32, 20 * Simulation.MINUTE, 200, Simulation.SECOND, true);
        assertThat(world.ledger().find()).isEqualTo(IdLedger.Finding.NONE);
        return world.ledger().ids() + " " + world.ledger().runs() + " " + world.report() + " "
                + world.report().refusals() + world.store().operations() + " "
                + world.report().takeFirstIds();
    }

    @Test
    void withoutTheComparisonIdsAreMadeTwice() {
        Simulation world = simulate(SEED, 256, 2 * Simulation.MINUTE, 50, Simulation.SECOND, false);
        IdLedger.Finding finding = world.ledger().find();
        System.out.println("simulation.seed=" + SEED + ", without the comparison: " + finding);

        assertThat(finding.idsMadeTwice()).isPositive();
        assertThat(finding.ticksOfTwo()).isPositive();
        assertThat(finding.interleavings()).isPositive();
        assertThat(finding.first()).startsWith("number ");
    }

    @Test
    void aBurntNumberIsUsedByOneProcessWhateverFails() {
        Simulation world = new Simulation(
                new SimulatedChance(SEED, false, Simulation.SECOND),
                64,
                new SimulatedStore(Simulation.NUMBERS, true),
                SimulatedClient.terms(Simulation.NUMBERS, true));
        world.startAll();
        new SimulatedFailures(world, 30 * Simulation.MINUTE).plan(500);
        world.runFor(30 * Simulation.MINUTE);
        System.out.println("simulation.seed=" + SEED + ", singleUse: "
                + world.ledger().ids() + " ids of " + world.ledger().numbersUsed() + " numbers, " + world.report());

        assertThat(world.ledger().find()).isEqualTo(IdLedger.Finding.NONE);
        assertThat(world.ledger().numbersUsed()).isGreaterThan(300);
        assertThat(world.ledger().numbersOfSeveral()).isZero();
        assertThat(world.store().takeovers()).isZero();
    }

    /**
     * The promise for a store that was set back: no id twice, if for a window and two skews afterwards only processes
     * that held a window at that moment take numbers. Clocks, pauses and outages do not matter.
     */
    @Test
    void aStoreThatWasSetBackGivesNothingTwiceToThoseWhoHaveAWindow() {
        Simulation world = simulate(SEED, 300, 10 * Simulation.MINUTE, 200, 12 * Simulation.SECOND, true);
        long doubt =
                (terms().protocol().windowMillis() + 2 * terms().maxClockSkew().toMillis()) * Simulation.MILLI;
        for (int i = 0; i < 20; i++) {
            List<WorkerRow> backup = world.store().backup();
            long age = world.chance().logarithmic(Simulation.SECOND, 5 * Simulation.MINUTE);
            new SimulatedFailures(world, world.now() + age + 3 * Simulation.MINUTE).plan(100);
            world.runFor(age);
            world.store().setBackTo(backup);
            world.forbidStarts(doubt);
            world.runFor(3 * Simulation.MINUTE);
        }
        IdLedger.Finding finding = world.ledger().find();
        System.out.println(
                "simulation.seed=" + SEED + ", set back: " + world.ledger().ids() + " ids, " + world.report() + ", "
                        + world.report().refusals());

        assertThat(finding).isEqualTo(IdLedger.Finding.NONE);
        assertThat(world.report().refusals().keySet()).anyMatch(reason -> reason.startsWith("The store has forgotten"));
    }

    /** The same for processes with windows of different lengths, when all contents of the store are deleted. */
    @Test
    void aStoreThatWasEmptiedGivesNothingTwiceWhateverWindowsItsUsersHave() {
        Simulation world = emptied(true);
        IdLedger.Finding finding = world.ledger().find();
        System.out.println(
                "simulation.seed=" + SEED + ", emptied: " + world.ledger().ids() + " ids, " + world.report() + ", "
                        + world.report().refusals());

        assertThat(finding).isEqualTo(IdLedger.Finding.NONE);
        assertThat(world.report().refusals().keySet()).anyMatch(reason -> reason.startsWith("The store has forgotten"));
    }

    @Test
    void withoutARecordOfTheLongestWindowIdsAreMadeTwice() {
        IdLedger.Finding finding = emptied(false).ledger().find();
        System.out.println("simulation.seed=" + SEED + ", emptied, without a record: " + finding);

        assertThat(finding.interleavings()).isPositive();
    }

    private static Simulation emptied(boolean hasRecords) {
        SimulatedChance chance = new SimulatedChance(SEED, false, 12 * Simulation.SECOND);
        List<LeaseTerms> windows = Stream.of(4, 60, 600)
                .map(seconds -> SimulatedClient.terms(Simulation.NUMBERS, false, Duration.ofSeconds(seconds)))
                .toList();
        Simulation world = new Simulation(
                chance,
                64,
                new SimulatedStore(Simulation.NUMBERS, true, hasRecords),
                () -> windows.get((int) chance.below(windows.size())));
        world.startAll();
        for (int i = 0; i < 10; i++) {
            long age = chance.logarithmic(Simulation.SECOND, 20 * Simulation.MINUTE);
            new SimulatedFailures(world, world.now() + age + 16 * Simulation.MINUTE).plan(50);
            world.runFor(age);
            world.store().clear();
            world.forbidStarts(15 * Simulation.MINUTE);
            world.runFor(20 * Simulation.MINUTE);
        }
        return world;
    }

    @Test
    void hardlyABurntNumberIsLostWhenManyNodesStartTogether() {
        SimulatedStore store = new SimulatedStore(4_096, true);
        SimulatedChance chance = new SimulatedChance(SEED, true, Simulation.MINUTE);
        Simulation world = new Simulation(chance, 0, store, SimulatedClient.terms(4_096, true));
        Set<Long> numbers = new HashSet<>();
        for (int start = 0; start < 5; start++) {
            List<SimulatedConversation> nodes = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                SimulatedConversation node = conversation(world);
                nodes.add(node);
                world.after(chance.below(10 * Simulation.MILLI), node::begin);
            }
            world.runFor(Simulation.MINUTE);
            nodes.forEach(
                    node -> assertThat(numbers.add(node.granted().worker())).isTrue());
        }
        double numbersAStart = (store.highest() + 1) / 1_000.0;
        System.out.println("simulation.seed=" + SEED + ", singleUse: " + numbersAStart + " numbers a start, "
                + store.writes() / 1_000.0 + " writes");

        assertThat(numbersAStart).isBetween(1.0, 1.2);
    }

    private static SimulatedConversation conversation(Simulation world) {
        SimulatedMachine machine = new SimulatedMachine(world);
        machine.begin();
        List<SimulatedConversation> itself = new ArrayList<>();
        itself.add(new SimulatedConversation(world, machine, failure -> {
            if (itself.get(0).isDue()) {
                itself.get(0).begin();
            }
        }));
        return itself.get(0);
    }

    private static LeaseTerms terms() {
        return SimulatedClient.terms(Simulation.NUMBERS, false);
    }

    private static Simulation simulate(
            long seed, int nodes, long length, int restarts, long workPause, boolean compares) {
        Simulation world = new Simulation(
                new SimulatedChance(seed, false, workPause),
                nodes,
                new SimulatedStore(Simulation.NUMBERS, compares),
                terms());
        world.startAll();
        new SimulatedFailures(world, length).plan(restarts);
        world.runFor(length);
        return world;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 32, 1_000, 1_024})
    void theLoadOfTheStoreGrowsWithTheNodesOnly(int size) {
        Simulation world = new Simulation(new SimulatedChance(SEED, true, Simulation.MINUTE), size);
        System.out.println(size + " nodes, " + Simulation.NUMBERS + " numbers, simulation.seed=" + SEED
                + ", a round trip to the store takes 1 ms to 3 ms. Time to the first id:");
        startAllAtOnce(world, "all started at once on an empty store");
        double steady = LeaseLoad.operationsPerNodeMinute(world, 5);
        System.out.println("  steady: " + String.format(Locale.ROOT, "%.2f", steady) + " operations a node and minute");
        System.out.println("  100 stopped and restarted, one every 10 s: " + times(restarts(world, true)));
        System.out.println("  100 crashed and restarted, one every 10 s: " + times(restarts(world, false)));
        world.crashAll();
        world.runFor(3 * Simulation.MINUTE);
        startAllAtOnce(world, "all started at once, three minutes after all crashed");
        world.crashAll();
        startAllAtOnce(world, "all started at once, just after all crashed");

        assertThat(steady).isBetween(1.6, 2.1);
        assertThat(world.ledger().find()).isEqualTo(IdLedger.Finding.NONE);
    }

    @Test
    void aNodeNeedsTwoOperationsAMinute() {
        double operations = LeaseLoad.operationsPerNodeMinute(1_000, 60, SEED);
        System.out.println("simulation.seed=" + SEED + ", 1000 nodes for an hour: " + operations
                + " operations a node and minute");

        assertThat(operations).isBetween(1.6, 2.1);
    }

    private static void startAllAtOnce(Simulation world, String when) {
        SimulatedStore store = world.store();
        long operations = store.operations();
        long rows = store.rowsRead();
        long conflicts = store.conflicts();
        long failed = world.report().failedStarts();
        int size = world.nodes().size();
        world.startAll();
        world.runFor(Simulation.MINUTE);
        operations = store.operations() - operations;
        rows = store.rowsRead() - rows;
        conflicts = store.conflicts() - conflicts;
        world.runFor(4 * Simulation.MINUTE);
        List<Long> first = world.report().takeFirstIds();
        System.out.println("  " + when + ": " + times(first) + "; in the first minute "
                + perNode(operations, size) + " operations, " + perNode(conflicts, size) + " conflicts and "
                + perNode(rows, size) + " rows read a node; "
                + (world.report().failedStarts() - failed) + " failed starts");
        assertThat(first).hasSize(size);
    }

    private static List<Long> restarts(Simulation world, boolean cleanly) {
        for (int i = 0; i < 100; i++) {
            world.runFor(10 * Simulation.SECOND);
            SimulatedNode node = world.nodes().get(i % world.nodes().size());
            if (node.isRunning()) {
                world.restart(node, cleanly, Simulation.SECOND);
            }
        }
        world.runFor(5 * Simulation.MINUTE);
        return world.report().takeFirstIds();
    }

    private static String times(List<Long> sortedMicros) {
        return String.format(
                Locale.ROOT,
                "%.1f ms (median), %.1f ms (99%%), %.1f ms (longest), of %d",
                at(sortedMicros, 0.5),
                at(sortedMicros, 0.99),
                at(sortedMicros, 1),
                sortedMicros.size());
    }

    private static double at(List<Long> sorted, double part) {
        int index = (int) Math.ceil(part * sorted.size()) - 1;
        return sorted.get(Math.max(0, index)) / (double) Simulation.MILLI;
    }

    private static String perNode(long count, int size) {
        return String.format(Locale.ROOT, "%.1f", count / (double) size);
    }
}
