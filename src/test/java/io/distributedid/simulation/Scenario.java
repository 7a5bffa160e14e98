package io.distributedid.simulation;

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
        return Run.of(this, isLogged);
    }

    @Override
    public Scenario without(int part) {
        return new Scenario(seed, setup, spares, Script.without(parts, part));
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
        return Script.told(
                seed,
                setup,
                parts.stream().map(each -> "at " + each.at() + " ms: " + each).toList());
    }
}
