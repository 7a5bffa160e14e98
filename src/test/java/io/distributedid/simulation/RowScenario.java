package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A run with rows of keys, as data: a seed for all that is left open, the setup, and the parts. */
record RowScenario(long seed, Setup setup, List<Part> parts) implements Script {

    /**
     * What a run is like.
     *
     * @param connections of each process
     * @param comparesRecord whether a number needs the record, as on PostgreSQL
     * @param namesTransactions whether the database names transactions, as PostgreSQL does
     * @param troubleOneIn one request in so many goes wrong; 0 for none
     * @param switchOneIn how often a thread that could go on hands over: once in so many steps
     */
    record Setup(
            int connections, boolean comparesRecord, boolean namesTransactions, int troubleOneIn, int switchOneIn) {}

    /** Something that happens, from a time in milliseconds on. */
    sealed interface Part {

        int at();

        /** A process starts, and its callers take numbers. It is killed, or stops, or stays until the end. */
        record Lives(int at, int number, int millis, boolean isKilled, boolean stays) implements Part {}

        /** None of its threads runs for a time. */
        record Stands(int at, int number, int millis) implements Part {}

        /** The database does not answer it for a time. */
        record IsCutOff(int at, int number, int millis) implements Part {}

        /** The database undoes all transactions, and ends all connections. */
        record Crashes(int at) implements Part {}

        /** Keys are deleted, as the documentation says. */
        record Deletes(int at) implements Part {}

        /** All rows are gone for a time; or the records alone. */
        record Loses(int at, int millis, boolean isRecordAlone) implements Part {}

        /** All processes end; a backup is restored, and raised as the documentation says; others start. */
        record IsRestored(int at, int commits) implements Part {}
    }

    RowScenario {
        parts = List.copyOf(parts);
    }

    /** Made by a seed. */
    static RowScenario of(long seed) {
        SplittableRandom random = Script.random(seed);
        List<Part> parts = new ArrayList<>();
        int processes = 1 + random.nextInt(3);
        for (int number = 0; number < processes; number++) {
            parts.add(new Part.Lives(
                    random.nextInt(1_500),
                    number,
                    300 + random.nextInt(2_500),
                    random.nextBoolean(),
                    random.nextInt(3) == 0));
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            int at = 200 + random.nextInt(2_500);
            int number = random.nextInt(processes);
            parts.add(
                    switch (random.nextInt(4)) {
                        case 0 -> new Part.Stands(at, number, 1 + random.nextInt(800));
                        case 1 -> new Part.IsCutOff(at, number, 1 + random.nextInt(1_500));
                        case 2 -> new Part.Crashes(at);
                        default -> new Part.Deletes(at);
                    });
        }
        switch (random.nextInt(4)) {
            case 0 ->
                parts.add(
                        new Part.Loses(500 + random.nextInt(2_000), 1 + random.nextInt(1_000), random.nextInt(3) == 0));
            case 1 -> parts.add(new Part.IsRestored(1_000 + random.nextInt(1_500), 1 + random.nextInt(12)));
            default -> {}
        }
        Setup setup = new Setup(
                1 + random.nextInt(3),
                random.nextBoolean(),
                random.nextBoolean(),
                random.nextBoolean() ? 6 + random.nextInt(40) : 0,
                random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 3 + random.nextInt(12));
        return new RowScenario(random.nextLong(), setup, parts);
    }

    @Override
    public Outcome play(boolean isLogged) {
        return RowRun.of(this, isLogged);
    }

    @Override
    public RowScenario without(int part) {
        return new RowScenario(seed, setup, Script.without(parts, part));
    }

    @Override
    public RowScenario withoutTrouble() {
        Setup calm = new Setup(setup.connections, setup.comparesRecord, setup.namesTransactions, 0, setup.switchOneIn);
        return new RowScenario(seed, calm, parts);
    }

    @Override
    public String toString() {
        return Script.told(seed, setup, parts);
    }
}
