package io.distributedid.maelstrom;

import io.distributedid.maelstrom.Network.Trouble;
import io.distributedid.testkit.Await;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.FutureTask;

/**
 * Hinders the nodes of a workbench for some time: one trouble of the network after the other, and beside that one fault
 * of a process after the other, in an order, at places and with pauses that come from a seed. All kinds come before one
 * comes again; each time is long enough for a message to meet it.
 */
final class Nemesis {

    /** What befalls a process. */
    enum Fault {
        /** SIGKILL, and a new process. */
        KILL,
        /** SIGSTOP for longer than a window. */
        PAUSE,
        /** SIGTERM, upon which a node hands its number back, and a new process. */
        RESTART
    }

    private static final int SHORTEST_MILLIS = 400;

    private static final int TROUBLE_MILLIS = 900;

    private static final int CALM_MILLIS = 300;

    private final Workbench bench;

    private final long end;

    private final Map<Fault, Integer> faults = new EnumMap<>(Fault.class);

    private final Map<Trouble, Integer> troubles = new EnumMap<>(Trouble.class);

    private Nemesis(Workbench bench, long seconds) {
        this.bench = bench;
        this.end = System.nanoTime() + seconds * 1_000_000_000;
    }

    /** Hinders for so many seconds, and until each kind was seen. Everything is well again afterwards. */
    static Nemesis run(Workbench bench, long seed, long seconds) throws Exception {
        Nemesis nemesis = new Nemesis(bench, seconds);
        Random random = new Random(seed);
        Random ofProcesses = new Random(random.nextLong());
        Random ofNetwork = new Random(random.nextLong());
        FutureTask<Void> processes = new FutureTask<>(() -> {
            nemesis.hinderProcesses(ofProcesses);
            return null;
        });
        Thread thread = new Thread(processes, "nemesis");
        thread.setDaemon(true);
        thread.start();
        nemesis.hinderNetwork(ofNetwork);
        processes.get();
        return nemesis;
    }

    Map<Fault, Integer> faults() {
        return faults;
    }

    Map<Trouble, Integer> troubles() {
        return troubles;
    }

    private boolean isOver() {
        return System.nanoTime() > end;
    }

    private static <E> List<E> shuffled(E[] values, Random random) {
        List<E> all = new ArrayList<>(Arrays.asList(values));
        Collections.shuffle(all, random);
        return all;
    }

    private void hinderNetwork(Random random) throws InterruptedException {
        while (!isOver()) {
            for (Trouble trouble : shuffled(Trouble.values(), random)) {
                if (isOver() && troubles.size() == Trouble.values().length) {
                    return;
                }
                Network network = bench.network();
                int before = network.counts().getOrDefault(trouble, 0);
                if (trouble == Trouble.PARTITION) {
                    network.partition(side(random));
                } else {
                    network.begin(trouble);
                }
                Thread.sleep(SHORTEST_MILLIS + random.nextInt(TROUBLE_MILLIS));
                Await.until(
                        trouble + " has met a message",
                        () -> network.counts().getOrDefault(trouble, 0) > before,
                        network::counts);
                network.end(trouble);
                troubles.merge(trouble, 1, Integer::sum);
                Thread.sleep(random.nextInt(CALM_MILLIS));
            }
        }
    }

    /** Some of the nodes and services: at least one, and not all. */
    private Set<String> side(Random random) {
        List<String> places = new ArrayList<>(bench.network().places());
        Collections.sort(places);
        Collections.shuffle(places, random);
        return new HashSet<>(places.subList(0, 1 + random.nextInt(places.size() - 1)));
    }

    private void hinderProcesses(Random random) throws Exception {
        while (!isOver()) {
            for (Fault fault : shuffled(Fault.values(), random)) {
                if (isOver() && faults.size() == Fault.values().length) {
                    return;
                }
                Thread.sleep(random.nextInt(CALM_MILLIS));
                hinder(fault, bench.names().get(random.nextInt(bench.names().size())), random);
                faults.merge(fault, 1, Integer::sum);
            }
        }
    }

    private void hinder(Fault fault, String name, Random random) throws Exception {
        NodeProcess process = bench.process(name);
        if (!process.isAlive()) {
            throw new IllegalStateException("The process of " + name + " has ended by itself");
        }
        switch (fault) {
            case KILL -> {
                process.kill();
                Thread.sleep(random.nextInt(CALM_MILLIS));
                bench.start(name);
            }
            case PAUSE -> {
                process.signal("STOP");
                Thread.sleep(Workbench.WINDOW_MILLIS + random.nextInt(Workbench.WINDOW_MILLIS));
                process.signal("CONT");
            }
            case RESTART -> {
                process.stop();
                bench.start(name);
            }
        }
    }
}
