package io.distributedid.simulation;

import io.distributedid.simulation.ClientScenario.ClientPart.Fails;
import io.distributedid.simulation.ClientScenario.ClientPart.GoesBack;
import io.distributedid.simulation.ClientScenario.ClientPart.Lives;
import io.distributedid.simulation.ClientScenario.ClientPart.Resumes;
import io.distributedid.simulation.ClientScenario.ClientPart.Stands;
import io.distributedid.simulation.ClientScenario.ClientPart.TakesOver;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** A run with clients of services, as data: a seed for all that is left open, the setup, and the parts. */
record ClientScenario(long seed, ClientSetup setup, List<ClientPart> parts) implements Script {

    /**
     * What a run is like.
     *
     * @param isPartitioned whether one server gives the numbers of all keys; otherwise each does
     * @param troubleOneIn one request in so many goes wrong; 0 for none
     * @param switchOneIn how often a thread that could go on hands over: once in so many steps
     */
    record ClientSetup(int servers, boolean isPartitioned, int troubleOneIn, int switchOneIn) {}

    /** What is wrong with a server for a time. Its answers are late, refusals, of another store, or there are none. */
    enum Wrong {
        IS_DOWN,
        HANGS,
        IS_SLOW,
        HAS_NO_IDS,
        IS_OF_ANOTHER_PLACE,
        IS_OF_ANOTHER_KIND,
        /** Something between it and its clients answers what it has answered to others. */
        IS_KEPT_BY_A_CACHE
    }

    /** Something that happens. Times are in milliseconds. */
    sealed interface ClientPart {

        int at();

        /** A process starts, and its callers take ids and numbers. It stops, is killed, or stays if there is no end. */
        record Lives(int at, int millis, boolean isKilled) implements ClientPart {}

        record Fails(int at, int server, int millis, Wrong wrong) implements ClientPart {}

        /** From now on, this server is the active one. */
        record TakesOver(int at, int server) implements ClientPart {}

        /** None of a process's threads runs for a time. */
        record Stands(int at, int process, int millis) implements ClientPart {}

        /** A process was suspended, and goes on with new connections. */
        record Resumes(int at, int process) implements ClientPart {}

        /** The store of the services becomes an older copy of itself. */
        record GoesBack(int at, int ids) implements ClientPart {}
    }

    ClientScenario {
        parts = List.copyOf(parts);
    }

    /** Made by a seed. */
    static ClientScenario of(long seed) {
        SplittableRandom random = Script.random(seed);
        // Another process might have got ids that this one knows nothing of.
        boolean isAlone = random.nextInt(4) == 0;
        int processes = isAlone ? 1 : 1 + random.nextInt(3);
        int servers = 1 + random.nextInt(3);
        List<ClientPart> parts = new ArrayList<>();
        for (int i = 0; i < processes; i++) {
            int millis = isAlone || random.nextInt(3) == 0 ? Integer.MAX_VALUE : 500 + random.nextInt(4_000);
            parts.add(new Lives(isAlone ? 0 : random.nextInt(2_000), millis, random.nextBoolean()));
        }
        for (int i = random.nextInt(5); i > 0; i--) {
            int millis = 1 + random.nextInt(random.nextBoolean() ? 300 : 3_000);
            Wrong wrong = Wrong.values()[random.nextInt(Wrong.values().length)];
            parts.add(new Fails(random.nextInt(5_000), random.nextInt(servers), millis, wrong));
        }
        for (int i = random.nextInt(3); i > 0; i--) {
            parts.add(new TakesOver(random.nextInt(5_000), random.nextInt(servers)));
        }
        if (random.nextInt(3) == 0) {
            parts.add(new Stands(random.nextInt(5_000), random.nextInt(processes), 1 + random.nextInt(3_000)));
        }
        if (random.nextInt(3) == 0) {
            parts.add(new Resumes(random.nextInt(5_000), random.nextInt(processes)));
        }
        if (isAlone) {
            parts.add(new GoesBack(1_500 + random.nextInt(3_000), 1 + random.nextInt(30)));
        }
        ClientSetup setup = new ClientSetup(
                servers,
                random.nextBoolean(),
                random.nextBoolean() ? 6 + random.nextInt(40) : 0,
                random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 3 + random.nextInt(12));
        return new ClientScenario(random.nextLong(), setup, parts);
    }

    @Override
    public Outcome play(boolean isLogged) {
        return ClientRun.of(this, isLogged);
    }

    @Override
    public ClientScenario without(int part) {
        return new ClientScenario(seed, setup, Script.without(parts, part));
    }

    @Override
    public ClientScenario withoutTrouble() {
        return new ClientScenario(
                seed, new ClientSetup(setup.servers, setup.isPartitioned, 0, setup.switchOneIn), parts);
    }

    @Override
    public String toString() {
        return Script.told(seed, setup, parts);
    }
}
