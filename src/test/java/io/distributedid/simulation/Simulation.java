package io.distributedid.simulation;

import java.util.Locale;
import java.util.Optional;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Plays scripts one after the other. If one fails, it is shortened: parts are left out as long as it still fails. Only
 * then is it told in words and with its log, since words cost more than the run.
 */
public final class Simulation {

    /** Kept, since a logger without references forgets its level. */
    private static final Logger LIBRARY = Logger.getLogger("io.distributedid");

    private final LongFunction<? extends Script> scripts;

    private long runs;

    private long steps;

    private long switches;

    private long ids;

    /** The first seed that fails, with its story. */
    record Failure(long seed, String story, AssertionError error) {}

    /** @param scripts by seed */
    Simulation(LongFunction<? extends Script> scripts) {
        this.scripts = scripts;
    }

    /** Plays the scripts of seeds. */
    Optional<Failure> run(long firstSeed, long count) {
        return quietly(() -> runAll(firstSeed, count));
    }

    /** The library warns of all that goes wrong. */
    static <T> T quietly(Supplier<T> work) {
        Level before = LIBRARY.getLevel();
        LIBRARY.setLevel(Level.OFF);
        try {
            return work.get();
        } finally {
            LIBRARY.setLevel(before);
        }
    }

    private Optional<Failure> runAll(long firstSeed, long count) {
        for (long seed = firstSeed; seed < firstSeed + count; seed++) {
            Script script = scripts.apply(seed);
            Script.Outcome run = script.play(false);
            runs++;
            steps += run.world().steps();
            switches += run.world().switches();
            ids += run.ids();
            AssertionError failure = run.failure();
            if (failure != null) {
                return Optional.of(told(seed, script, failure));
            }
        }
        return Optional.empty();
    }

    private static Failure told(long seed, Script script, AssertionError failure) {
        String begin = "simulation.seed=" + seed + ": " + failure.getMessage() + "\n" + script;
        if (failure instanceof Stalled) {
            // Each further run could stall as well, and takes a minute then.
            return new Failure(seed, begin, failure);
        }
        Script shorter = shortened(script, failure);
        Script.Outcome run = shorter.play(true);
        String log = run.failure() == null
                ? "The same seed did not give the same run"
                : String.join("\n", run.world().log());
        return new Failure(seed, begin + "\nA shorter one: " + shorter + "\n" + log, failure);
    }

    private static Script shortened(Script script, AssertionError failure) {
        Script shortest = script;
        for (int i = shortest.parts().size() - 1; i >= 0; i--) {
            shortest = shorter(shortest.without(i), shortest, failure);
        }
        return shorter(shortest.withoutTrouble(), shortest, failure);
    }

    /** The candidate, if it fails for the same reason. */
    private static Script shorter(Script candidate, Script script, AssertionError failure) {
        AssertionError other = candidate.play(false).failure();
        return other != null && reason(other).equals(reason(failure)) ? candidate : script;
    }

    private static String reason(AssertionError failure) {
        return String.valueOf(failure.getMessage()).split(":", 2)[0];
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%,d runs, %d steps and %d switches each, %,d ids",
                runs,
                steps / Math.max(1, runs),
                switches / Math.max(1, runs),
                ids);
    }

    /**
     * Plays the scripts of seeds until one fails, without a test framework. Prints the failure.
     *
     * @param args the first seed, and how many; then "leases", "sections", "rows" or "clients" if not of counters; or
     *     "forgotten", of counters whose merge is repeated without the other shard
     */
    public static void main(String... args) {
        long began = System.nanoTime();
        Simulation simulation = new Simulation(scripts(args.length > 2 ? args[2] : "counters"));
        Optional<Failure> failure = simulation.run(Long.parseLong(args[0]), Long.parseLong(args[1]));
        System.out.printf(Locale.ROOT, "%s, %.1f s%n", simulation, (System.nanoTime() - began) / 1e9);
        failure.ifPresent(each -> {
            System.out.println(each.story());
            each.error().printStackTrace();
        });
        System.exit(failure.isPresent() ? 1 : 0);
    }

    private static LongFunction<? extends Script> scripts(String of) {
        return switch (of) {
            case "leases" -> LeaseDraft::scenario;
            case "sections" -> SectionScenario::of;
            case "rows" -> RowScenario::of;
            case "clients" -> ClientScenario::of;
            case "forgotten" -> seed -> Draft.scenario(seed, LedgerPlots::forgotten);
            default -> Draft::scenario;
        };
    }

    /** For a failing test. */
    @Nullable
    static AssertionError error(Optional<Failure> failure) {
        return failure.map(each -> new AssertionError(each.story(), each.error()))
                .orElse(null);
    }
}
