package io.distributedid.simulation;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A {@link Scenario} while a seed makes it. {@link Plots} has what happens. */
final class Draft {

    private final SplittableRandom random;

    private final List<Part> parts = new ArrayList<>();

    private int processes;

    int servers;

    int increment;

    int sequences = 1;

    int spares;

    boolean isTickets;

    boolean isShared;

    long blockMin = 4;

    long blockMax = 8;

    String failover = "raise";

    boolean isFull;

    boolean isNarrow;

    boolean hasTrouble;

    /** Whether processes open all sequences but the last. */
    boolean opensFewer;

    private Draft(long seed) {
        this.random = Script.random(seed);
        this.servers = 1 + random.nextInt(2);
        this.isTickets = once(4);
        this.blockMax = once(3) ? 64 : 8;
        // Keeps the runs of seeds that have shown something.
        boolean unused = once(2);
        this.hasTrouble = once(2);
    }

    static Scenario scenario(long seed) {
        return scenario(seed, LedgerPlots::write);
    }

    static Scenario scenario(long seed, Consumer<Draft> plot) {
        Draft draft = new Draft(seed);
        plot.accept(draft);
        return draft.scenario();
    }

    /** Without anything that goes wrong. */
    static Setup plain(int servers) {
        return new Setup(false, false, servers, 0, 1, 4, 8, "raise", false, false, 0, 2);
    }

    private Scenario scenario() {
        Setup setup = new Setup(
                isTickets,
                isShared,
                servers,
                increment,
                sequences,
                blockMin,
                blockMax,
                failover,
                isFull,
                isNarrow,
                hasTrouble ? 8 + random.nextInt(50) : 0,
                once(3) ? 1 + random.nextInt(2) : 3 + random.nextInt(12));
        return new Scenario(random.nextLong(), setup, spares, parts);
    }

    int random(int bound) {
        return random.nextInt(bound);
    }

    /** True once in {@code times}. */
    boolean once(int times) {
        return random.nextInt(times) == 0;
    }

    void add(Part part) {
        parts.add(part);
    }

    /** The list that all should have. */
    List<Integer> list() {
        return IntStream.range(0, servers).boxed().toList();
    }

    /** A reversed list, or a shorter one; not two of one length, which are in {@link LedgerPlots}. */
    List<Integer> otherList() {
        List<Integer> list = new ArrayList<>(list());
        if (once(2)) {
            Collections.reverse(list);
        } else {
            list.remove(list.size() == 2 ? random.nextInt(2) : list.size() - 1);
        }
        return List.copyOf(list);
    }

    /** A process that takes ids, and goes on to the end. */
    int process(int at) {
        return process(at, list(), 1 + random.nextInt(2), 10 + random.nextInt(40), 1, 1, false);
    }

    int process(int at, List<Integer> list, int threads, int ids, long size, int lives, boolean closes) {
        int opens = opensFewer ? sequences - 1 : sequences;
        boolean prepares = opens > 1 && once(2);
        parts.add(new Processes.Takes(at, processes, list, threads, ids, size, opens, prepares, lives, closes));
        return processes++;
    }

    /** A process of one of two shards. */
    void process(int at, List<Integer> list, int ids, Side side) {
        Processes.Takes takes = new Processes.Takes(at, processes, list, 1, ids, 1, sequences, false, 1, false);
        parts.add(new Processes.TakesApart(takes, side));
        processes++;
    }

    int processes() {
        return processes;
    }

    void trouble(int at) {
        Servers.Trouble[] all = Servers.Trouble.values();
        Servers.Trouble trouble = once(2) ? Servers.Trouble.STOPS : all[random.nextInt(all.length)];
        parts.add(new Servers.Has(at, random.nextInt(servers), trouble, 1 + random.nextInt(once(2) ? 100 : 3_000)));
    }

    void loss(int at) {
        int server = random.nextInt(servers);
        LedgerLosses.How[] all = LedgerLosses.How.values();
        LedgerLosses.How how = all[random.nextInt(all.length)];
        int commits = 1 + random.nextInt(once(2) ? 8 : 50);
        parts.add(new LedgerLosses.Loses(at, server, how, commits, once(2)));
    }

    /** Something that may happen in any run. */
    void aside() {
        switch (random.nextInt(4)) {
            case 0 -> parts.add(new Processes.Killed(random.nextInt(300), random.nextInt(Math.max(1, processes))));
            case 1 ->
                parts.add(new Processes.Stands(
                        random.nextInt(300), random.nextInt(Math.max(1, processes)), 1 + random.nextInt(15_000)));
            case 2 -> parts.add(new LedgerOperators.Checks(random.nextInt(500)));
            default -> trouble(random.nextInt(300));
        }
    }
}
