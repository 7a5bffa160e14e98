package io.distributedid.simulation;

import java.util.List;

/** A run with leases, as data: a seed for all that is left open, the setup, and the parts. */
record LeaseScenario(long seed, LeaseSetup setup, List<LeasePart> parts) implements Script {

    LeaseScenario {
        parts = List.copyOf(parts);
    }

    /** Whether nothing goes wrong: processes start, stop, and are killed. */
    boolean isPeaceful() {
        return setup.troubleOneIn() == 0 && parts.stream().allMatch(LeasePart::isPeaceful);
    }

    @Override
    public Outcome play(boolean isLogged) {
        return LeaseRun.of(this, isLogged);
    }

    @Override
    public LeaseScenario without(int part) {
        return new LeaseScenario(seed, setup, Script.without(parts, part));
    }

    @Override
    public LeaseScenario withoutTrouble() {
        return new LeaseScenario(seed, setup.withoutTrouble(), parts);
    }

    @Override
    public String toString() {
        return Script.told(
                seed,
                setup,
                parts.stream().map(each -> "at " + each.at() + " ms: " + each).toList());
    }
}
