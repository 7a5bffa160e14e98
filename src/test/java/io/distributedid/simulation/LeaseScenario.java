package io.distributedid.simulation;

import java.util.ArrayList;
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
        List<LeasePart> fewer = new ArrayList<>(parts);
        fewer.remove(part);
        return new LeaseScenario(seed, setup, fewer);
    }

    @Override
    public LeaseScenario withoutTrouble() {
        return new LeaseScenario(seed, setup.withoutTrouble(), parts);
    }

    @Override
    public String toString() {
        StringBuilder words = new StringBuilder("seed=" + seed + ": " + setup);
        for (LeasePart each : parts) {
            words.append("\n    at ").append(each.at()).append(" ms: ").append(each);
        }
        return words.toString();
    }
}
