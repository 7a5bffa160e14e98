package io.distributedid.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Plays what seeds make. Which: {@code -Dsimulation.seed=1 -Dsimulation.runs=4000}, as in
 * {@link CounterSimulationTest}.
 */
abstract class SeededSimulationTest {

    private static final Optional<Long> SEED = Optional.ofNullable(Long.getLong("simulation.seed"));

    private static final long RUNS = Long.getLong("simulation.runs", 0);

    private final String of;

    private final LongFunction<? extends Script> scripts;

    private final long few;

    private final long many;

    private final long same;

    /**
     * @param few runs of the fast tests
     * @param many runs beyond those
     * @param same runs that are played twice
     */
    SeededSimulationTest(String of, LongFunction<? extends Script> scripts, long few, long many, long same) {
        this.of = of;
        this.scripts = scripts;
        this.few = few;
        this.many = many;
        this.same = same;
    }

    static void play(String of, LongFunction<? extends Script> scripts, long otherFirst, long otherwise) {
        long firstSeed = SEED.orElse(otherFirst);
        Simulation simulation = new Simulation(scripts);
        Optional<Simulation.Failure> failure =
                simulation.run(firstSeed, RUNS > 0 ? RUNS : SEED.isPresent() ? 1 : otherwise);
        System.out.println("Simulation of " + of + " from seed " + firstSeed + ": " + simulation);
        AssertionError error = Simulation.error(failure);
        if (error != null) {
            throw error;
        }
    }

    static void requireSame(long seeds, LongFunction<? extends Script> scripts) {
        for (long seed = 1; seed <= seeds; seed++) {
            Script script = scripts.apply(seed);
            Script.Outcome first = Simulation.quietly(() -> script.play(true));
            Script.Outcome second = Simulation.quietly(() -> script.play(true));
            assertThat(second.world().log())
                    .as("simulation.seed=%s", seed)
                    .isEqualTo(first.world().log());
        }
    }

    static void requireGood(long seeds, LongFunction<? extends Script> scripts) {
        for (long seed = 1; seed <= seeds; seed++) {
            Script script = scripts.apply(seed);
            Script.Outcome run = Simulation.quietly(() -> script.play(false));
            assertThat(run.failure()).as("%s", script).isNull();
        }
    }

    @Test
    void keepsItsPromises() {
        play(of, scripts, 1, few);
    }

    @Test
    @Tag("slow")
    @Tag("model")
    void keepsItsPromisesInManyRuns() {
        play(of, scripts, few + 1, many);
    }

    @Test
    void theSameSeedGivesTheSameRun() {
        requireSame(same, scripts);
    }
}
