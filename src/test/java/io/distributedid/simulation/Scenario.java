package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * A run as data: a seed for all that is left open, the setup, and the parts. It can be told in words, and shortened.
 *
 * @param spares servers that nobody lists at first
 */
record Scenario(long seed, Setup setup, int spares, List<Part> parts) implements Script {

    Scenario {
        parts = List.copyOf(parts);
    }

    /** Whether nothing goes wrong, and processes with one list take ids until they have them. */
    boolean isPeaceful() {
        return setup.troubleOneIn() == 0
                && parts.stream()
                        .allMatch(each -> each instanceof Processes.Takes takes
                                && !takes.closesEarly()
                                && takes.servers().size() == setup.servers()
                                && takes.servers().get(0) == 0);
    }

    @Override
    public Outcome play(boolean isLogged) {
        Run run = Run.of(this, isLogged);
        return new Outcome(run.world(), run.failure(), run.ids());
    }

    @Override
    public Scenario without(int part) {
        List<Part> fewer = new ArrayList<>(parts);
        fewer.remove(part);
        return new Scenario(seed, setup, spares, fewer);
    }

    @Override
    public Scenario withoutTrouble() {
        return new Scenario(
                seed,
                new Setup(
                        setup.isTickets(),
                        setup.isShared(),
                        setup.servers(),
                        setup.increment(),
                        setup.sequences(),
                        setup.blockMin(),
                        setup.blockMax(),
                        setup.failover(),
                        setup.isFull(),
                        setup.isNarrow(),
                        0,
                        setup.switchOneIn()),
                spares,
                parts);
    }

    @Override
    public String toString() {
        StringBuilder words = new StringBuilder("seed=" + seed + ": " + setup);
        for (Part each : parts) {
            words.append("\n    at ").append(each.at()).append(" ms: ").append(each);
        }
        return words.toString();
    }
}
