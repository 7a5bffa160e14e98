package io.distributedid.simulation;

import io.distributedid.simulation.SectionPart.GoesBack;
import io.distributedid.simulation.SectionPart.IsCutOff;
import io.distributedid.simulation.SectionPart.IsRestored;
import io.distributedid.simulation.SectionPart.Lives;
import io.distributedid.simulation.SectionPart.RowIsLocked;
import io.distributedid.simulation.SectionPart.SectionEnd;
import io.distributedid.simulation.SectionPart.Stands;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A run with sections, as data: a seed for all that is left open, the setup, and the parts. */
record SectionScenario(long seed, SectionSetup setup, List<SectionPart> parts) implements Script {

    SectionScenario {
        parts = List.copyOf(parts);
    }

    /** Made by a seed. */
    static SectionScenario of(long seed) {
        SplittableRandom random = Script.random(seed);
        boolean isAlone = random.nextInt(6) == 0;
        List<SectionPart> parts = new ArrayList<>();
        int processes = isAlone ? 1 : 1 + random.nextInt(3);
        for (int number = 0; number < processes; number++) {
            int millis = 500 + random.nextInt(4_000);
            SectionEnd end = isAlone ? SectionEnd.STAYS : SectionEnd.values()[random.nextInt(3)];
            parts.add(new Lives(random.nextInt(isAlone ? 1 : 2_500), number, millis, end));
        }
        if (isAlone) {
            // Another process might have given numbers that this one knows nothing of.
            parts.add(new GoesBack(1_500 + random.nextInt(2_000), 1 + random.nextInt(8), 1 + random.nextInt(900)));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            int at = 200 + random.nextInt(4_000);
            int number = random.nextInt(processes);
            parts.add(
                    switch (random.nextInt(3)) {
                        case 0 -> new Stands(at, number, 1 + random.nextInt(random.nextBoolean() ? 300 : 3_000));
                        case 1 -> new IsCutOff(at, number, 1 + random.nextInt(3_000));
                        default -> new RowIsLocked(at, random.nextInt(1_000), 1 + random.nextInt(3_000));
                    });
        }
        if (!isAlone && random.nextInt(6) == 0) {
            parts.add(new IsRestored(2_000 + random.nextInt(2_500), 1 + random.nextInt(12)));
        }
        SectionSetup setup = new SectionSetup(
                1 + random.nextInt(4),
                400 + random.nextInt(800),
                random.nextInt(4) == 0 ? 200 : 1 << 20,
                random.nextBoolean() ? 6 + random.nextInt(40) : 0,
                random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 3 + random.nextInt(12));
        return new SectionScenario(random.nextLong(), setup, parts);
    }

    @Override
    public Outcome play(boolean isLogged) {
        return SectionRun.of(this, isLogged);
    }

    @Override
    public SectionScenario without(int part) {
        return new SectionScenario(seed, setup, Script.without(parts, part));
    }

    @Override
    public SectionScenario withoutTrouble() {
        return new SectionScenario(seed, setup.withoutTrouble(), parts);
    }

    @Override
    public String toString() {
        return Script.told(seed, setup, parts);
    }
}
