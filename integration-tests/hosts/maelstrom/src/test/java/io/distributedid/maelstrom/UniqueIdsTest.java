package io.distributedid.maelstrom;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.maelstrom.Nemesis.Fault;
import io.distributedid.maelstrom.Network.Trouble;
import io.distributedid.testkit.Await;
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
        try (Workbench bench = new Workbench(Mode.LWW_KV, 3, folder, seed)) {
            Await.until(
                    "an id comes twice",
                    () -> !bench.ledger().twice().isEmpty(),
                    () -> bench.ledger() + " seed=" + seed + " in " + folder);
        }
    }
}
