package io.distributedid.backend.snowflake.lease;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.IdUnavailableException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three processes share two numbers. Their writes are done without an answer, not done, or done later without an
 * answer. Processes die, hand back, sleep, and have clocks that differ. No millisecond of a number is ever granted to
 * two of them.
 */
class RenewalPropertyTest {

    private static final long START = Instant.parse("2026-11-21T12:00:00Z").toEpochMilli();

    private static final long WINDOW = 40;

    private static final int PROCESSES = 3;

    private static final int STEPS = 20_000;

    private record Process(int id, StoreClient client) {}

    /** Whether messages arrive late. A late message can write a row that was deleted meanwhile. */
    private boolean arrivesLate = true;

    private long now = START;

    private int processes;

    private int renewals;

    private final MemoryStore memory = new MemoryStore(() -> Instant.ofEpochMilli(now));

    /** By number and millisecond: the process that it was granted to. */
    private final Map<Long, Integer> owners = new HashMap<>();

    private final List<Runnable> late = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noTimeOfANumberIsGrantedTwiceWhateverAnswersAreLost(long seed) throws Exception {
        SplittableRandom dice = new SplittableRandom(seed);
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            all.add(start(dice));
        }
        for (int step = 0; step < STEPS; step++) {
            now += dice.nextInt(200) == 0 ? dice.nextLong(3 * WINDOW) : dice.nextLong(6);
            if (!late.isEmpty() && dice.nextInt(10) == 0) {
                late.remove(dice.nextInt(late.size())).run();
            }
            int place = dice.nextInt(PROCESSES);
            Process process = all.get(place);
            if (dice.nextInt(300) == 0) {
                stop(process, dice);
                all.set(place, start(dice));
            } else {
                renew(process);
            }
        }
        assertThat(renewals).as("windows that were renewed").isGreaterThan(STEPS / 100);
    }

    /** An operator deletes the rows; each time numbers are leased again, whoever stopped and started meanwhile. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void noTimeOfANumberIsGrantedTwiceAfterRowsWereDeletedAndNumbersAreLeasedAgain(long seed) throws Exception {
        arrivesLate = false;
        SplittableRandom dice = new SplittableRandom(seed);
        List<Process> all = new ArrayList<>();
        for (int i = 0; i < PROCESSES; i++) {
            all.add(start(dice));
        }
        for (int loss = 0; loss < 50; loss++) {
            run(all, dice, now + dice.nextLong(10 * WINDOW));
            memory.forgetRows();
            int before = renewals;
            // The last process to find the loss does so when its window has ended; then all windows must be over.
            run(all, dice, now + LeaseProtocol.HANDBACK_WAIT_MILLIS + 4 * WINDOW);
            assertThat(renewals).as("windows that were renewed since").isGreaterThan(before);
        }
    }

    private void run(List<Process> all, SplittableRandom dice, long end) throws InterruptedException {
        while (now < end) {
            now += dice.nextLong(6);
            int place = dice.nextInt(PROCESSES);
            if (dice.nextInt(20) == 0) {
                stop(all.get(place), dice);
                all.set(place, start(dice));
            } else {
                renew(all.get(place));
            }
        }
    }

    private Process start(SplittableRandom dice) {
        long offset = dice.nextLong(-4, 5);
        InstantSource clock = () -> Instant.ofEpochMilli(now + offset);
        LeaseTerms terms = new LeaseTerms(
                new LeaseProtocol(WINDOW, 0, 1, false),
                Duration.ofMillis(WINDOW / 4),
                Duration.ofSeconds(5),
                Duration.ofSeconds(5));
        int id = processes++;
        StoreClient client = new StoreClient(
                view(dice),
                terms,
                clock,
                () -> TimeUnit.MILLISECONDS.toNanos(now),
                () -> dice.nextInt(Integer.MAX_VALUE),
                "process " + id);
        return new Process(id, client);
    }

    private void renew(Process process) throws InterruptedException {
        Grant before = process.client.granted();
        try {
            if (process.client.isDue()) {
                process.client.renew();
            }
        } catch (WorkerStoreException | IdUnavailableException e) {
            // No answer, or no number is free.
        }
        Grant grant = process.client.granted();
        if (grant == null || grant.equals(before)) {
            return;
        }
        boolean isRenewed = before != null && before.from() == grant.from() && before.worker() == grant.worker();
        renewals += isRenewed ? 1 : 0;
        for (long time = isRenewed ? before.until() : grant.from(); time < grant.until(); time++) {
            Integer owner = owners.putIfAbsent(key(grant, time), process.id);
            if (owner != null && owner != process.id) {
                throw new AssertionError("Number " + grant.worker() + " was granted to process " + process.id
                        + ", and belongs to process " + owner + " at " + (time - START));
            }
        }
    }

    /** It is killed, or hands back what lies above its last id. */
    private void stop(Process process, SplittableRandom dice) throws InterruptedException {
        Grant last = process.client.granted();
        if (last == null || dice.nextBoolean()) {
            return;
        }
        long unused = last.from() + dice.nextLong(last.until() - last.from() + 1);
        for (long time = unused; time < last.until(); time++) {
            owners.remove(key(last, time), process.id);
        }
        try {
            process.client.handBack(unused);
        } catch (WorkerStoreException e) {
            // No process uses the rest of the window.
        }
    }

    private static long key(Grant grant, long time) {
        return time * 2 + grant.worker();
    }

    private WorkerStore view(SplittableRandom dice) {
        return (WorkerStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {WorkerStore.class}, (proxy, method, args) -> {
                    boolean writes =
                            method.getName().equals("renew") || method.getName().startsWith("compareAndSet");
                    int fate = writes ? dice.nextInt(12) : 12;
                    if (fate == 0 && arrivesLate) {
                        late.add(() -> arriveLate(method, args));
                    }
                    if (fate <= 1) {
                        throw noAnswer();
                    }
                    Object answer = invoke(method, args);
                    if (fate == 2) {
                        throw noAnswer();
                    }
                    return answer;
                });
    }

    /** In some stores the comparison of the time is over before the message is late. */
    private void arriveLate(Method method, Object[] args) {
        Object[] sent = args.clone();
        if (method.getName().equals("renew")) {
            sent[2] = new StoreCondition(((StoreCondition) args[2]).record(), Long.MIN_VALUE, Long.MAX_VALUE);
        }
        try {
            invoke(method, sent);
        } catch (Throwable e) {
            throw new IllegalStateException(e);
        }
    }

    private Object invoke(Method method, Object[] args) throws Throwable {
        try {
            return method.invoke(memory, args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static WorkerStoreException noAnswer() {
        return new WorkerStoreException("no answer", new IllegalStateException("timeout"));
    }
}
