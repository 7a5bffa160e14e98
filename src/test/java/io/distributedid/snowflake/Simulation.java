package io.distributedid.snowflake;

import io.distributedid.snowflake.lease.LeaseTerms;
import io.distributedid.snowflake.lease.SimulatedStore;
import io.distributedid.snowflake.lease.SimulatedTenant;
import io.distributedid.snowflake.lease.SimulatedTenant.Fate;
import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;

/**
 * Nodes, a store of worker numbers and the network between them, in simulated time: one thing happens after the other, as a seed
 * decides. Times are in microseconds.
 */
final class Simulation {

    static final int NUMBERS = 1_024;

    static final long MILLI = 1_000;

    static final long SECOND = 1_000 * MILLI;

    static final long MINUTE = 60 * SECOND;

    /** From a node to the store, or back: 0.5 ms to 1.5 ms. */
    private static final long LEAST_LATENCY = MILLI / 2;

    private static final long HOUR = 60 * MINUTE;

    private record Event(long time, long order, Runnable action) implements Comparable<Event> {

        @Override
        public int compareTo(Event other) {
            return time == other.time ? Long.compare(order, other.order) : Long.compare(time, other.time);
        }
    }

    private final PriorityQueue<Event> events = new PriorityQueue<>();

    private final SplittableRandom random;

    private final List<SimulatedNode> nodes = new ArrayList<>();

    private final LeaseTerms terms = SimulatedTenant.terms(NUMBERS);

    private final SimulatedStore store;

    private final IdLedger ledger = new IdLedger();

    private final SimulationReport report = new SimulationReport();

    private final boolean quiet;

    private final long workPause;

    private long now;

    private long order;

    private int lives;

    private int makers;

    private int outagesNow;

    /**
     * Nothing runs yet.
     *
     * @param quiet without any failure, except for those that a test makes
     * @param workPause between two times at which a node takes ids, on average
     * @param compares false breaks the store
     */
    Simulation(long seed, int size, boolean quiet, long workPause, boolean compares) {
        random = new SplittableRandom(seed);
        this.quiet = quiet;
        this.workPause = workPause;
        store = new SimulatedStore(NUMBERS, compares);
        for (int i = 0; i < size; i++) {
            nodes.add(new SimulatedNode(this));
        }
    }

    void after(long micros, Runnable action) {
        events.add(new Event(now + micros, order++, action));
    }

    void runUntil(long end) {
        for (Event next = events.peek(); next != null && next.time <= end; next = events.peek()) {
            events.remove();
            now = next.time;
            next.action.run();
        }
        now = end;
    }

    /** All start within 10 ms. */
    void startAll() {
        nodes.forEach(node -> after(random.nextLong(10 * MILLI), node::start));
    }

    /** The power fails. */
    void crashAll() {
        nodes.forEach(SimulatedNode::crash);
    }

    /** Plans failures of every kind, at any time from now on to the end. */
    void planFailures(long end, int restarts) {
        for (int i = 0; i < restarts; i++) {
            at(end, this::restart);
        }
        for (int i = 0; i < restarts / 2; i++) {
            at(end, this::jump);
            at(end, this::pause);
        }
        for (int i = 0; i < Math.max(1, restarts / 250); i++) {
            at(end, () -> outage(logarithmic(SECOND, 3 * MINUTE)));
        }
    }

    private void at(long end, Runnable action) {
        after(random.nextLong(end - now), action);
    }

    private SimulatedNode anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    private void restart() {
        List<SimulatedNode> alive = nodes.stream()
                .filter(node -> node.isAlive() && !node.isStopping())
                .toList();
        if (alive.isEmpty()) {
            after(SECOND, this::restart);
        } else {
            restart(alive.get(random.nextInt(alive.size())), random.nextBoolean(), logarithmic(SECOND, 5 * MINUTE));
        }
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

    private void jump() {
        SimulatedNode node = anyNode();
        long by = logarithmic(10 * MILLI, 3 * HOUR);
        node.setClock(random.nextBoolean() ? by : -by);
        report.jump();
        after(logarithmic(SECOND, 10 * MINUTE), node::setClockRight);
    }

    private void pause() {
        anyNode().pause(pauseLength());
        report.pause();
    }

    private void outage(long micros) {
        report.outage();
        outagesNow++;
        store.setUp(false);
        after(micros, () -> {
            outagesNow--;
            store.setUp(outagesNow == 0);
        });
    }

    /** As many small as large ones. */
    private long logarithmic(long least, long most) {
        return (long) (least * Math.pow((double) most / least, random.nextDouble()));
    }

    long pauseLength() {
        return logarithmic(100 * MILLI, 5 * MINUTE);
    }

    boolean isPausedBeforeSending() {
        return !quiet && random.nextInt(100) == 0;
    }

    long latency() {
        return LEAST_LATENCY + random.nextLong(2 * LEAST_LATENCY);
    }

    /** A refused connection, or a timeout. */
    long outageLatency() {
        return random.nextBoolean() ? latency() : 2 * SECOND;
    }

    Fate fate() {
        int dice = quiet ? 1_000 : random.nextInt(1_000);
        return dice < 10 ? Fate.LOST : dice < 20 ? Fate.LOST_WITH_THE_QUESTION : dice < 25 ? Fate.LATE : Fate.ANSWERED;
    }

    /** Most clocks are right to 50 ms, a few are off by up to 12 s, and one in a hundred by more than is allowed. */
    long skew() {
        int dice = quiet ? 99 : random.nextInt(100);
        long most = dice == 0 ? HOUR : dice < 10 ? 12 * SECOND : 50 * MILLI;
        return random.nextLong(2 * most) - most;
    }

    int drift() {
        return random.nextInt(200) - 100;
    }

    long workPause() {
        return random.nextInt(4) == 0 ? random.nextLong(8 * workPause) : MILLI;
    }

    /** From one to 4,096, as many few as many; once in a while more than the layout has for so long. */
    int idsAtOnce() {
        return !quiet && random.nextInt(20_000) == 0 ? 500_000 : (int) logarithmic(1, 4_096);
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

    SplittableRandom random() {
        return random;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    LeaseTerms terms() {
        return terms;
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
