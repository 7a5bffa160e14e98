package photos;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.Await;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Watches event loops: collects what Vert.x reports of blocked threads, and looks itself, many times a second, for
 * threads that wait in code of the library. A thread that runs does not count: a busy machine may take its time.
 */
final class LoopWatch extends Handler implements AutoCloseable {

    /** After this time on an event loop, Vert.x reports the stack. */
    static final long LONGEST_MILLIS = 200;

    /** So many looks in a row make a wait; a lock may be held for a moment. */
    static final long WAIT = 60;

    private static final String OURS = "io.distributedid.";

    /** It hands the session's work over to the event loop: all that Hibernate then does there is above it. */
    private static final String HAND_OVER = "io.distributedid.reactive.EventLoop";

    private static final Set<String> WAITS =
            Set.of("park", "wait", "wait0", "sleep", "sleep0", "read0", "socketRead0", "poll", "poll0", "connect0");

    private final Logger checker = Logger.getLogger("io.vertx.core.impl.BlockedThreadChecker");

    private final Queue<String> blocked = new ConcurrentLinkedQueue<>();

    private final AtomicLong reports = new AtomicLong();

    private final AtomicLong looks = new AtomicLong();

    private final Thread looking = new Thread(this::lookOn, "loop-watch");

    private volatile boolean closed;

    LoopWatch() {
        checker.addHandler(this);
        looking.setDaemon(true);
        looking.start();
    }

    private void lookOn() {
        Map<Thread, Integer> waits = new HashMap<>();
        while (!closed) {
            Thread.getAllStackTraces().forEach((thread, stack) -> {
                boolean isWait = isEventLoop(thread) && isWaitOfOurs(stack);
                if (waits.merge(thread, isWait ? 1 : 0, (before, now) -> now == 0 ? 0 : before + 1) == WAIT) {
                    blocked.add(thread + " " + thread.getState() + " " + Arrays.toString(stack));
                }
            });
            looks.incrementAndGet();
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                return;
            }
        }
    }

    private static boolean isEventLoop(Thread thread) {
        return thread.getName().startsWith("vert.x-eventloop-thread");
    }

    private static boolean isWaitOfOurs(StackTraceElement[] stack) {
        return stack.length > 0
                && WAITS.contains(stack[0].getMethodName())
                && Arrays.stream(stack)
                        .map(StackTraceElement::getClassName)
                        .anyMatch(name -> name.startsWith(OURS) && !name.startsWith(HAND_OVER));
    }

    /** Returns after a time in which a wait would have been seen. */
    void lookAgain() {
        long until = looks.get() + 2 * WAIT;
        Await.until("the event loops were looked at", () -> looks.get() > until);
    }

    /** How many threads of the library wait for ids in place of event loops. */
    static long waitingThreads() {
        Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
        return all.keySet().stream()
                .filter(thread ->
                        thread.getName().equals("distributedid-async") && thread.getState() != Thread.State.RUNNABLE)
                .count();
    }

    @Override
    public void publish(LogRecord report) {
        reports.incrementAndGet();
        Throwable stack = report.getThrown();
        if (stack != null && isWaitOfOurs(stack.getStackTrace())) {
            blocked.add(report.getMessage() + " " + Arrays.toString(stack.getStackTrace()));
        }
    }

    void requireUnblocked() {
        System.out.println("Looked " + looks + " times at the event loops; Vert.x reported " + reports
                + " blocked threads; " + blocked.size() + " waits in code of the library");
        assertThat(looks.get()).isPositive();
        assertThat(blocked).isEmpty();
    }

    @Override
    public void flush() {}

    @Override
    public void close() {
        closed = true;
        checker.removeHandler(this);
    }
}
