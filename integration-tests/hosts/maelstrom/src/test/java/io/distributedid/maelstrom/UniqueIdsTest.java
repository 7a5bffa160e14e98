package io.distributedid.maelstrom;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.maelstrom.Nemesis.Fault;
import io.distributedid.maelstrom.Network.Trouble;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The workload {@code unique-ids} on real processes, while messages are cut off, delayed, lost and doubled, and
 * processes are killed, paused and restarted.
 *
 * <p>{@code -Dmaelstrom.seconds=600} makes each run longer, {@code -Dmaelstrom.seed=...} repeats the faults of another.
 * The seed decides the faults, their order and times; what the processes do meanwhile differs.
 */
class UniqueIdsTest {

    /** So many lww runs without an id given twice would be a wonder. */
    private static final int LWW_RUNS = 60;

    private static final long LWW_SECONDS = 6;

    private final long seconds = Long.getLong("maelstrom.seconds", 8);

    private final long seed = Long.getLong("maelstrom.seed", System.nanoTime());

    @TempDir
    Path folder;

    @ParameterizedTest
    @EnumSource(names = "LWW_KV", mode = EnumSource.Mode.EXCLUDE)
    void noIdIsGivenTwice(Mode mode) throws Exception {
        System.out.println("maelstrom run: mode=" + mode.text() + " seed=" + seed + " seconds=" + seconds);
        // Tickets: one node without a counter of its own, beside the two that count.
        Workbench bench = new Workbench(mode, 3, folder, seed);
        Nemesis nemesis;
        try (bench) {
            bench.awaitIdsOfAll();
            nemesis = Nemesis.run(bench, seed, seconds);
            bench.awaitIdsOfAll();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("mode=" + mode.text() + " seed=" + seed + " " + bench.ledger(), e);
        }
        System.out.println("mode=" + mode.text() + " " + bench.ledger() + " faults=" + nemesis.faults() + " troubles="
                + nemesis.troubles() + " messages=" + bench.network().counts());
        assertThat(bench.ledger().twice()).as("seed=%d", seed).isEmpty();
        assertThat(bench.ledger().disorder()).as("seed=%d", seed).isEmpty();
        assertThat(nemesis.faults()).containsOnlyKeys(Fault.values());
        assertThat(nemesis.troubles()).containsOnlyKeys(Trouble.values());
        assertThat(bench.network().counts()).containsOnlyKeys(Trouble.values());
        if (mode != Mode.TICKETS) {
            assertThat(bench.ledger().reused())
                    .as("worker numbers that went from one process to another")
                    .isPositive();
        }
    }

    /** The negative control: the same node and the same ledger, over a store that is no compare-and-set. */
    @Test
    void aStoreThatLosesWritesIsCaught() throws Exception {
        for (int run = 0; run < LWW_RUNS; run++) {
            long runSeed = seed + run;
            Path own = Files.createDirectory(folder.resolve("lww" + run));
            Workbench bench = new Workbench(Mode.LWW_KV, 3, own, runSeed);
            try (bench) {
                long end = System.nanoTime() + LWW_SECONDS * 1_000_000_000;
                while (System.nanoTime() < end && bench.ledger().twice().isEmpty()) {
                    Thread.sleep(10);
                }
            }
            System.out.println("mode=lww-kv seed=" + runSeed + " " + bench.ledger());
            if (!bench.ledger().twice().isEmpty()) {
                return;
            }
        }
        throw new AssertionError("No id was given twice in " + LWW_RUNS + " runs over lww-kv, seed=" + seed);
    }
}
