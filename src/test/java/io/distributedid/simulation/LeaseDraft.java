package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A {@link LeaseScenario} while a seed makes it. */
final class LeaseDraft {

    private final SplittableRandom random;

    private final List<LeasePart> parts = new ArrayList<>();

    private int processes;

    private boolean hasTrouble;

    private boolean isStrict;

    private boolean isAlone;

    private LeaseDraft(long seed) {
        this.random = Script.random(seed);
        this.hasTrouble = once(2);
    }

    static LeaseScenario scenario(long seed) {
        return new LeaseDraft(seed).scenario();
    }

    private LeaseScenario scenario() {
        int plot = random(16);
        processes();
        switch (plot) {
            case 0 -> hasTrouble = once(3);
            case 1, 2, 3 -> losses();
            case 4 -> astray();
            case 5, 6 -> commands();
            case 7 -> copies();
            case 8 -> clocks();
            case 9 -> troubles();
            case 10 -> stands();
            case 11, 12 -> standby();
            case 13 -> revival();
            case 14 -> commandAtStart();
            default -> {
                losses();
                stands();
            }
        }
        if (plot > 0) {
            for (int i = random(3); i > 0; i--) {
                aside();
            }
        }
        long window = 800 + random(1_200);
        LeaseSetup setup = new LeaseSetup(
                isAlone ? 1 : once(8) ? 70 : 2 + random(3),
                window,
                300 + random(400),
                isStrict || once(2),
                once(5),
                hasTrouble ? 6 + random(40) : 0,
                once(3) ? 1 + random(2) : 3 + random(12));
        return new LeaseScenario(random.nextLong(), setup, parts);
    }

    private int random(int bound) {
        return random.nextInt(bound);
    }

    /** True once in {@code times}. */
    private boolean once(int times) {
        return random.nextInt(times) == 0;
    }

    private <T> T one(T[] all) {
        return all[random(all.length)];
    }

    private void processes() {
        processes = 1 + random(4);
        for (int i = 0; i < processes; i++) {
            LeaseParts.End end = one(LeaseParts.End.values());
            int lives = 1 + random(3);
            parts.add(new LeaseParts.Lives(
                    once(3) ? 0 : random(3_000), i, lives, 300 + random(5_000 / lives), 1 + random(2), !once(5), end));
        }
    }

    private void process(int at, int millis, LeaseParts.End end) {
        parts.add(new LeaseParts.Lives(at, processes, 1, millis, 2, true, end));
        processes++;
    }

    /** The active process gets slow answers, and then none. */
    private void standby() {
        parts.clear();
        processes = 0;
        isStrict = true;
        hasTrouble = true;
        process(0, 9_000, LeaseParts.End.STAYS);
        process(random(500), 9_000, LeaseParts.End.STAYS);
        for (int at = 1_500 + random(1_000); at < 8_000; at += 1_500 + random(2_000)) {
            parts.add(new LeaseParts.IsCutOff(at, random(2), 700 + random(1_500)));
        }
    }

    /** A process stands still. Its number is another's meanwhile, and then the store forgets that. */
    private void revival() {
        parts.clear();
        processes = 0;
        isAlone = true;
        process(0, 12_000, LeaseParts.End.STAYS);
        int at = 800 + random(500);
        parts.add(new LeaseParts.Stands(at, 0, 5_000 + random(6_000), once(4)));
        process(at + 1_500 + random(1_500), 3_000 + random(3_000), one(LeaseParts.End.values()));
        LeaseParts.How how = once(2) ? LeaseParts.How.ROW_SET_BACK : LeaseParts.How.SET_BACK;
        parts.add(new LeaseParts.Loses(at + 3_000 + random(2_500), how, 1 + random(12), 3));
    }

    /** A process starts while a command closes the store. */
    private void commandAtStart() {
        parts.clear();
        processes = 0;
        isStrict = true;
        process(0, 500, LeaseParts.End.STOPS);
        int at = 2_500 + random(1_000);
        process(at + random(20), 4_000, LeaseParts.End.STAYS);
        process(at + random(40), 4_000, LeaseParts.End.STAYS);
        LeaseParts.Command command = once(2) ? LeaseParts.Command.CHANGE : LeaseParts.Command.OTHER_WINDOW;
        parts.add(new LeaseParts.Operates(at + random(20), command, 0));
    }

    private int anyone() {
        return random(processes);
    }

    private int anyTime() {
        return 200 + random(5_000);
    }

    private void losses() {
        for (int i = 1 + random(2); i > 0; i--) {
            int at = anyTime();
            LeaseParts.How how = one(LeaseParts.How.values());
            parts.add(new LeaseParts.Loses(at, how, once(3) ? 0 : 1 + random(12), random(6)));
            if (once(2)) {
                commandAfter(how, at);
            }
        }
    }

    private void commandAfter(LeaseParts.How how, int at) {
        LeaseParts.Command command =
                how == LeaseParts.How.EMPTIED ? LeaseParts.Command.INIT : LeaseParts.Command.REPAIR;
        parts.add(new LeaseParts.Operates(at + random(2_000), command, once(3) ? 1 + random(30) : 0));
    }

    private void astray() {
        parts.add(new LeaseParts.GoesAstray(anyTime(), once(2) ? -1 : anyone(), once(2), 1 + random(4_000)));
    }

    private void commands() {
        for (int i = 1 + random(3); i > 0; i--) {
            LeaseParts.Command[] all = LeaseParts.Command.values();
            // Only an emptied store is begun anew.
            LeaseParts.Command command = all[1 + random(all.length - 1)];
            int at = once(2) ? anyTime() : 5_000 + random(4_000);
            parts.add(new LeaseParts.Operates(at, command, once(2) ? 1 + random(40) : 0));
            if (once(3)) {
                parts.add(new LeaseParts.Operates(at + random(30), once(2) ? command : all[1 + random(4)], 0));
            }
        }
    }

    private void copies() {
        parts.add(new LeaseParts.Copied(anyTime(), anyone()));
    }

    private void clocks() {
        long far = 1_000 + random(3_600_000);
        parts.add(new LeaseParts.ClockIsSet(anyTime(), anyone(), once(2) ? far : -far, 1 + random(4_000)));
    }

    private void troubles() {
        for (int i = 1 + random(2); i > 0; i--) {
            parts.add(new LeaseParts.StoreHas(
                    anyTime(), one(LeaseParts.Trouble.values()), 1 + random(once(2) ? 300 : 4_000)));
        }
    }

    private void stands() {
        parts.add(new LeaseParts.Stands(anyTime(), anyone(), 1 + random(once(2) ? 1_500 : 9_000), once(4)));
    }

    /** Something that may happen in any run. */
    private void aside() {
        switch (random(6)) {
            case 0 -> parts.add(new LeaseParts.Killed(anyTime(), anyone()));
            case 1 -> stands();
            case 2 -> troubles();
            case 3 -> clocks();
            case 4 -> astray();
            default -> losses();
        }
    }
}
