package benchmarks.scale;

import benchmarks.Logs;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;

/**
 * A JVM, 21 or later, with a hundred thousand virtual threads that take ids of one sequence, each one every five
 * seconds and all of them evenly spread. A call's time begins when its thread was to wake up. First the same threads
 * take numbers from an {@code AtomicLong}: what is late then, the machine makes late.
 */
final class VirtualThreads {

    static final int THREADS = 100_000;

    private static final int PER_SECOND = 20_000;

    private static final long PERIOD = 1_000_000_000L * THREADS / PER_SECOND;

    private static final long LIMIT = 10_000_000;

    private static final String PINNED = "jdk.VirtualThreadPinned";

    private final LongSupplier source;

    private final long counted;

    private final long end;

    private final LongAdder calls = new LongAdder();

    private final LongAdder slow = new LongAdder();

    private final LongAdder late = new LongAdder();

    private final AtomicLong longest = new AtomicLong();

    private final CountDownLatch running = new CountDownLatch(THREADS);

    private volatile RuntimeException failure;

    private VirtualThreads(LongSupplier source, Duration warmUp, Duration time) {
        this.source = source;
        counted = System.nanoTime() + warmUp.toNanos();
        end = counted + time.toNanos();
    }

    /** Seconds of warm-up, seconds, folder for the flight recording, URLs of ticket servers. */
    public static void main(String[] args) throws Exception {
        Logs.quiet();
        Duration warmUp = Duration.ofSeconds(Long.parseLong(args[0]));
        Duration time = Duration.ofSeconds(Long.parseLong(args[1]));
        VirtualThreads machine = new VirtualThreads(new AtomicLong()::incrementAndGet, warmUp, time.dividedBy(2));
        machine.run();
        List<Distant> servers = Distant.all(List.of(args).subList(3, args.length));
        try (Store.Sequences sequences =
                        Store.TICKET.open(servers.stream().map(Distant::url).toList());
                Recording recording = new Recording()) {
            VirtualThreads ours =
                    new VirtualThreads(sequences.open(List.of("photos")).get(0), warmUp, time);
            recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
            recording.start();
            Instant warm = Instant.now().plus(warmUp);
            ours.run();
            recording.stop();
            Results.print("slow", ours.perMillion(ours.slow));
            Results.print("late", ours.perMillion(ours.late));
            Results.print("machine", machine.perMillion(machine.late));
            Results.print("longest", ours.longest.get() / 1e6);
            Results.print("calls", ours.calls.sum());
            Results.print("pinned", pinned(recording, args[2], warm));
        }
        System.exit(0);
    }

    private double perMillion(LongAdder some) {
        return some.sum() * 1e6 / Math.max(1, calls.sum());
    }

    /** Whoever is the first to load a class may pin a thread once. */
    private static long pinned(Recording recording, String folder, Instant since) throws Exception {
        Path file = Path.of(folder, "pinned.jfr");
        recording.dump(file);
        return RecordingFile.readAllEvents(file).stream()
                .filter(event -> event.getEventType().getName().equals(PINNED))
                .filter(event -> event.getStartTime().isAfter(since))
                .peek(event -> Results.say("  pinned: %s", event))
                .count();
    }

    private void run() throws Exception {
        MethodHandle startVirtualThread = MethodHandles.lookup()
                .findStatic(Thread.class, "startVirtualThread", MethodType.methodType(Thread.class, Runnable.class));
        long begin = System.nanoTime();
        for (int number = 0; number < THREADS; number++) {
            long first = begin + PERIOD * number / THREADS;
            Runnable task = () -> call(first);
            try {
                Thread unused = (Thread) startVirtualThread.invoke(task);
            } catch (Throwable e) {
                throw new IllegalStateException(e);
            }
        }
        running.await();
        if (failure != null) {
            throw failure;
        }
    }

    private void call(long first) {
        try {
            for (long due = first; due < end; due += PERIOD) {
                sleepUntil(due);
                long start = System.nanoTime();
                source.getAsLong();
                long now = System.nanoTime();
                if (due >= counted) {
                    count(now - start, now - due);
                }
            }
        } catch (RuntimeException e) {
            failure = e;
        } finally {
            running.countDown();
        }
    }

    private void count(long took, long sinceDue) {
        calls.increment();
        longest.accumulateAndGet(took, Math::max);
        if (took > LIMIT) {
            slow.increment();
        }
        if (sinceDue > LIMIT) {
            late.increment();
        }
    }

    private static void sleepUntil(long nanos) {
        for (long left = nanos - System.nanoTime(); left > 0; left = nanos - System.nanoTime()) {
            LockSupport.parkNanos(left);
        }
    }
}
