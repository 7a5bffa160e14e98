package io.distributedid.mysql;

import io.distributedid.testkit.FaultRun;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;

/**
 * What befalls nodes with leased worker numbers and their store, in an order, with lengths and with pauses that come
 * from a seed. Faults overlap: up to half of the nodes are in trouble at one time, and the store with them.
 */
final class WorkerFaults {

    /** What can happen to a node, or to the store. */
    enum Kind {
        /** A process is stopped beyond its window, and goes on. */
        SIGSTOP(1),
        /** A process is killed and started again. */
        KILL_9(1),
        /** So is one while another, stopped before, holds its number without knowing that its window is over. */
        KILL_9_BESIDE_SIGSTOP(2),
        /** A process hands its number back, and is started again. */
        RESTART(1),
        /** A process is stopped beyond its window, as a snapshot is, and begins anew when it goes on. */
        SNAPSHOT(1),
        /** A clock that runs is ahead by a minute to hours for a while. */
        CLOCK_AHEAD(1),
        CLOCK_BEHIND(1),
        /** By what may be within a window. */
        CLOCK_A_LITTLE_AHEAD(1),
        CLOCK_A_LITTLE_BEHIND(1),
        /** A process is killed, and started with a clock that is ahead by a minute to hours and set right later. */
        START_AHEAD(1),
        START_BEHIND(1),
        /** The store is killed, and is away until windows have ended and callers are refused. */
        STORE_KILL_9(0),
        STORE_RESTART(0),
        /** The store hangs. */
        STORE_SIGSTOP(0),
        /** The store has renewed a window, and the process does not know. */
        STORE_CUT(0);

        private final int nodes;

        Kind(int nodes) {
            this.nodes = nodes;
        }
    }

    @FunctionalInterface
    private interface Work {

        void run() throws Exception;
    }

    /** What is still to be done. */
    private record Step(Duration at, Work work) {}

    private static final int LONGEST_PAUSE_MILLIS = 700;

    private static final int POLL_MILLIS = 10;

    private static final int SHORTEST_SHIFT_MILLIS = 60_000;

    private static final int LONGEST_SHIFT_MILLIS = 6 * 3_600_000;

    private final FaultServer store;

    private final FaultRun<Kind> run;

    private final Random random;

    private final int windowMillis;

    /** In no trouble. */
    private final List<WorkerFaultNode> calm;

    private final int fewestCalm;

    private boolean storeIsCalm = true;

    private final PriorityQueue<Step> steps = new PriorityQueue<>((one, other) -> one.at.compareTo(other.at));

    WorkerFaults(List<WorkerFaultNode> nodes, FaultServer store, int windowMillis, FaultRun<Kind> run) {
        this.store = store;
        this.run = run;
        this.windowMillis = windowMillis;
        random = run.random();
        calm = new ArrayList<>(nodes);
        fewestCalm = nodes.size() / 2;
    }

    /** Every fault at least once, and then all of them again until the time is over. Ends when all is in order. */
    void runFor(Duration length) throws Exception {
        Deque<Kind> ofNodes = new ArrayDeque<>();
        Deque<Kind> ofStore = new ArrayDeque<>();
        while (run.counts().size() < Kind.values().length || run.elapsed().compareTo(length) < 0) {
            refill(ofNodes, true);
            refill(ofStore, false);
            if (calm.size() - ofNodes.element().nodes >= fewestCalm) {
                begin(ofNodes.remove());
            }
            if (storeIsCalm) {
                beginAtStore(ofStore.remove());
            }
            goOnUntil(run.elapsed().plusMillis(random.nextInt(LONGEST_PAUSE_MILLIS)));
        }
        while (!steps.isEmpty()) {
            goOnUntil(run.elapsed().plusMillis(POLL_MILLIS));
        }
    }

    private void refill(Deque<Kind> kinds, boolean ofNodes) {
        if (kinds.isEmpty()) {
            List<Kind> all = new ArrayList<>(List.of(Kind.values()));
            all.removeIf(kind -> kind.nodes > 0 != ofNodes);
            Collections.shuffle(all, random);
            kinds.addAll(all);
        }
    }

    private void goOnUntil(Duration end) throws Exception {
        run.await("the next fault", () -> {
            while (!steps.isEmpty() && steps.element().at.compareTo(run.elapsed()) <= 0) {
                steps.remove().work.run();
            }
            return run.elapsed().compareTo(end) >= 0;
        });
    }

    private void beginAtStore(Kind kind) {
        run.note(kind, "");
        storeIsCalm = false;
        switch (kind) {
            case STORE_KILL_9 -> {
                store.server().kill9();
                in(between(2 * windowMillis, 4 * windowMillis), () -> endOfStoreTrouble(store.server()::restart));
            }
            case STORE_RESTART -> endOfStoreTrouble(store.server()::restart);
            case STORE_SIGSTOP -> {
                store.server().pause();
                in(between(100, 3 * windowMillis), () -> endOfStoreTrouble(store.server()::resume));
            }
            case STORE_CUT -> restWhenDone(store.proxy().cutAtAnswerTo("UPDATE"));
            default -> throw new IllegalArgumentException(kind.toString());
        }
    }

    /** Goes on meanwhile. */
    private void endOfStoreTrouble(Runnable end) {
        restWhenDone(CompletableFuture.runAsync(end));
    }

    private void restWhenDone(Future<?> end) {
        in(POLL_MILLIS, () -> {
            if (end.isDone()) {
                end.get();
                run.note("the store is in order again");
                in(between(windowMillis, 3 * windowMillis), () -> storeIsCalm = true);
            } else {
                restWhenDone(end);
            }
        });
    }

    private void begin(Kind kind) throws Exception {
        WorkerFaultNode node = calm.remove(random.nextInt(calm.size()));
        run.note(kind, node);
        trouble(kind, node);
    }

    private void trouble(Kind kind, WorkerFaultNode node) throws Exception {
        switch (kind) {
            case SIGSTOP -> stopBeyondWindow(node);
            case SNAPSHOT -> {
                node.pause();
                in(between(0, 4 * windowMillis), () -> endOfTrouble(node, node::resumeAnew));
            }
            case KILL_9 -> kill(node);
            case KILL_9_BESIDE_SIGSTOP -> {
                stopBeyondWindow(node);
                WorkerFaultNode other = calm.remove(random.nextInt(calm.size()));
                run.note("beside it " + other);
                kill(other);
            }
            case RESTART -> {
                node.stop();
                in(between(0, windowMillis), () -> endOfTrouble(node, node::start));
            }
            case CLOCK_AHEAD -> shiftClock(node, hours());
            case CLOCK_BEHIND -> shiftClock(node, -hours());
            case CLOCK_A_LITTLE_AHEAD -> shiftClock(node, between(20, 2 * windowMillis));
            case CLOCK_A_LITTLE_BEHIND -> shiftClock(node, -between(20, 2 * windowMillis));
            case START_AHEAD -> startWith(node, hours());
            case START_BEHIND -> startWith(node, -hours());
            default -> throw new IllegalArgumentException(kind.toString());
        }
    }

    private void stopBeyondWindow(WorkerFaultNode node) throws Exception {
        node.pause();
        in(between(windowMillis * 3 / 2, 4 * windowMillis), () -> endOfTrouble(node, node::resume));
    }

    private void kill(WorkerFaultNode node) throws Exception {
        node.kill9();
        in(between(0, windowMillis), () -> endOfTrouble(node, node::start));
    }

    private void shiftClock(WorkerFaultNode node, long millis) {
        run.note(node + "'s clock " + millis + " ms");
        node.shiftClock(millis);
        in(between(windowMillis / 2, 3 * windowMillis), () -> endOfTrouble(node, () -> node.shiftClock(0)));
    }

    private void startWith(WorkerFaultNode node, long millis) throws Exception {
        run.note(node + "'s clock " + millis + " ms");
        node.kill9();
        node.shiftClock(millis);
        node.start();
        in(between(2 * windowMillis, 5 * windowMillis), () -> endOfTrouble(node, () -> node.shiftClock(0)));
    }

    private void endOfTrouble(WorkerFaultNode node, Work end) throws Exception {
        end.run();
        calm.add(node);
        run.note(node + " is in order again");
    }

    private void in(int millis, Work work) {
        steps.add(new Step(run.elapsed().plusMillis(millis), work));
    }

    private int between(int from, int to) {
        return from + random.nextInt(to - from);
    }

    /** A minute to hours, as likely one as the other. */
    private int hours() {
        double shift = SHORTEST_SHIFT_MILLIS
                * Math.pow((double) LONGEST_SHIFT_MILLIS / SHORTEST_SHIFT_MILLIS, random.nextDouble());
        return (int) shift;
    }
}
