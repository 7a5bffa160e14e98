package io.distributedid.backend.snowflake;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Queue;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;

/**
 * Several instances, each with a thread that draws ids all the time, as processes of a rolling deployment do. Keeps
 * every id.
 */
final class DrawnIds implements AutoCloseable {

    private static final int MOST = 1_000_000;

    private static final long PAUSE_NANOS = 20_000;

    private static final long PATIENCE_MILLIS = 120_000;

    private final class Drawer {

        private final DistributedIds ids;

        private final long[] drawn = new long[MOST];

        private final Thread thread;

        private volatile int count;

        private volatile boolean stopped;

        Drawer(DistributedIds ids) {
            this.ids = ids;
            thread = new Thread(this::draw, "draws ids");
            thread.setDaemon(true);
        }

        private void draw() {
            while (!stopped && count < MOST) {
                try {
                    drawn[count] = ids.next(sequence);
                    count = count + 1;
                } catch (DistributedIdException e) {
                    failures.add(String.valueOf(e.getMessage()));
                    LockSupport.parkNanos(1_000_000);
                }
                if (count % 64 == 0) {
                    LockSupport.parkNanos(PAUSE_NANOS);
                }
            }
        }

        void stop() throws InterruptedException {
            stopped = true;
            thread.join(PATIENCE_MILLIS);
            ids.close();
        }
    }

    private final String sequence;

    private final Deque<Drawer> running = new ArrayDeque<>();

    private final List<Drawer> all = new ArrayList<>();

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    DrawnIds(String sequence) {
        this.sequence = sequence;
    }

    void start(DistributedIds ids) {
        Drawer drawer = new Drawer(ids);
        running.addLast(drawer);
        all.add(drawer);
        drawer.thread.start();
    }

    /** Waits until each that runs has drawn so many more, or can't. */
    void await(int more) {
        int[] goals = running.stream()
                .mapToInt(each -> Math.min(MOST, each.count + more))
                .toArray();
        long end = System.nanoTime() + PATIENCE_MILLIS * 1_000_000;
        int i = 0;
        for (Drawer each : running) {
            while (each.count < goals[i]) {
                if (System.nanoTime() > end) {
                    throw new IllegalStateException("Waited " + PATIENCE_MILLIS / 1_000 + " s until " + goals[i]
                            + " ids are drawn. Seen last: " + each.count + ", failures: " + failures);
                }
                LockSupport.parkNanos(PAUSE_NANOS);
            }
            i++;
        }
    }

    void stopOldest() throws InterruptedException {
        running.removeFirst().stop();
    }

    void stopAll() throws InterruptedException {
        while (!running.isEmpty()) {
            stopOldest();
        }
    }

    Queue<String> failures() {
        return failures;
    }

    /** Call after all have stopped. */
    private long[] ids() {
        return all.stream()
                .flatMapToLong(each -> Arrays.stream(each.drawn, 0, each.count))
                .toArray();
    }

    /** How many ids were drawn a second time. */
    long twice() {
        long[] ids = ids();
        return ids.length - Arrays.stream(ids).distinct().count();
    }

    /** In the default layout. */
    SortedSet<Long> workers() {
        SortedSet<Long> workers = new TreeSet<>();
        Arrays.stream(ids()).forEach(id -> workers.add(id >> 12 & 1023));
        return workers;
    }

    @Override
    public void close() {
        running.forEach(each -> each.stopped = true);
        running.forEach(each -> each.ids.close());
    }
}
