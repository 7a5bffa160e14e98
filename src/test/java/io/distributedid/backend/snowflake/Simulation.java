package io.distributedid.backend.snowflake;

import io.distributedid.backend.snowflake.lease.LeaseTerms;
import io.distributedid.backend.snowflake.lease.SimulatedClient;
import io.distributedid.backend.snowflake.lease.SimulatedStore;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.Supplier;

/**
 * Nodes, a store of worker numbers and the network between them, in simulated time: one thing happens after the other,
 * as chance decides. Times are in microseconds.
 */
final class Simulation {

    static final int NUMBERS = 1_024;

    static final long MILLI = 1_000;

    static final long SECOND = 1_000 * MILLI;

    static final long MINUTE = 60 * SECOND;

    private record Event(long time, long order, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            return time == other.time ? Long.compare(order, other.order) : Long.compare(time, other.time);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();

    private final SimulatedChance chance;

    private final List<SimulatedNode> nodes = new ArrayList<>();

    /** Of each process that starts. */
    private final Supplier<LeaseTerms> terms;

    private final SimulatedStore store;

    private final IdLedger ledger = new IdLedger();

    private final SimulationReport report = new SimulationReport();

    private long now;

    private long order;

    private int lives;

    private int makers;

    private long nobodyStartsBefore;

    /** Leases numbers from a store that compares; nothing runs yet. */
    Simulation(SimulatedChance chance, int size) {
        this(chance, size, new SimulatedStore(NUMBERS, true), SimulatedClient.terms(NUMBERS, false));
    }

    /** Nothing runs yet. */
    Simulation(SimulatedChance chance, int size, SimulatedStore store, LeaseTerms terms) {
        this(chance, size, store, () -> terms);
    }

    /** Nothing runs yet; processes may have different terms. */
    Simulation(SimulatedChance chance, int size, SimulatedStore store, Supplier<LeaseTerms> terms) {
        this.chance = chance;
        this.store = store;
        this.terms = terms;
        for (int i = 0; i < size; i++) {
            nodes.add(new SimulatedNode(this));
        }
    }

    void after(long micros, Runnable action) {
        events.add(new Event(now + micros, order++, action));
    }

    void runFor(long micros) {
        long end = now + micros;
        for (Event next = events.peek(); next != null && next.time <= end; next = events.peek()) {
            events.remove();
            now = next.time;
            next.action.run();
        }
        now = end;
    }

    /** All start within 10 ms. */
    void startAll() {
        nodes.forEach(node -> after(chance.below(10 * MILLI), node::start));
    }

    /** The power fails. */
    void crashAll() {
        nodes.forEach(SimulatedNode::crash);
    }

    /** Stops processes without a window. No process starts for this time. */
    void forbidStarts(long micros) {
        nobodyStartsBefore = now + micros;
        nodes.stream()
                .filter(node -> node.isAlive() && !node.isWindowOpen())
                .forEach(node -> restart(node, false, micros));
    }

    /** @param down from its end to its next start */
    void restart(SimulatedNode node, boolean cleanly, long down) {
        report.restart(cleanly);
        if (cleanly) {
            node.stop();
        } else {
            node.crash();
        }
        startOnceDown(node, down);
    }

    private void startOnceDown(SimulatedNode node, long down) {
        after(down, () -> {
            if (node.isStopping()) {
                startOnceDown(node, SECOND);
            } else if (!node.isAlive()) {
                node.start();
            }
        });
    }

    /** How long a start has to wait. */
    long untilStartsAreAllowed() {
        return Math.max(0, nobodyStartsBefore - now);
    }

    int newLife() {
        return lives++;
    }

    int newMaker() {
        return makers++;
    }

    long now() {
        return now;
    }

    SimulatedChance chance() {
        return chance;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    LeaseTerms terms() {
        return terms.get();
    }

    SimulatedStore store() {
        return store;
    }

    IdLedger ledger() {
        return ledger;
    }

    SimulationReport report() {
        return report;
    }
}
