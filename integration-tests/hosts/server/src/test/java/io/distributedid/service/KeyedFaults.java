package io.distributedid.service;

import io.distributedid.testkit.Await;
import io.distributedid.testkit.CuttingProxy.Way;
import io.distributedid.testkit.FaultRun;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Faults of a {@link KeyedFleet} in a random order, all of them before one comes again. After each, all callers must
 * get numbers. Measures how long a key had none.
 */
final class KeyedFaults {

    /** What happens to a server, unless it says otherwise. */
    private enum Fault {
        /** SIGKILL. */
        KILL,
        /** SIGSTOP for two leases. */
        PAUSE,
        /** Nothing arrives between it and the store, in one direction or both, and all of it arrives late. */
        STORE_NETWORK,
        /** The store is killed, stopped, or stands still, for more than a lease. */
        STORE_AWAY,
        /** The wall clock of the first server is set back by an hour, and ahead by a year. */
        WALL_CLOCK,
        /** All servers are replaced, one after the other. */
        ROLLING_RESTART
    }

    private static final Pattern TIME = Pattern.compile("\"time\":\"([^\"]+)\"");

    private static final Duration HOUR = Duration.ofHours(1);

    private static final Duration YEAR = Duration.ofDays(365);

    private final KeyedFleet fleet;

    private final KeyedCalls calls;

    private final Callers callers;

    private final Duration lease;

    private final Random random;

    private final FaultRun<Fault> run;

    private final Map<Fault, Long> longestMillis = new EnumMap<>(Fault.class);

    KeyedFaults(KeyedFleet fleet, KeyedCalls calls, Callers callers, Duration lease, Random random) {
        this.fleet = fleet;
        this.calls = calls;
        this.callers = callers;
        this.lease = lease;
        this.random = random;
        run = new FaultRun<>(random, Fault.class, () -> {});
    }

    /** Each fault once, and more until the time is over. */
    void runFor(Duration length) throws Exception {
        Deque<Fault> next = new ArrayDeque<>();
        do {
            if (next.isEmpty()) {
                next.addAll(shuffled());
            }
            measure(next.remove());
        } while (!next.isEmpty() || run.elapsed().compareTo(length) < 0);
    }

    private List<Fault> shuffled() {
        List<Fault> all = new ArrayList<>(List.of(Fault.values()));
        if (!fleet.clock().isAvailable()) {
            all.remove(Fault.WALL_CLOCK);
        }
        Collections.shuffle(all, random);
        return all;
    }

    private void measure(Fault fault) throws Exception {
        int place = random.nextInt(KeyedFleet.SERVERS);
        long began = System.nanoTime();
        inject(fault, place);
        callers.awaitIds();
        long gap = calls.longestGap(began, System.nanoTime()).toMillis();
        longestMillis.merge(fault, gap, Math::max);
        run.note("no number for " + gap + " ms");
    }

    private void inject(Fault fault, int place) throws Exception {
        run.note(fault, place);
        switch (fault) {
            case KILL -> {
                fleet.at(place).kill9();
                sleep(0, 2);
                fleet.servers().restart(place);
            }
            case PAUSE -> {
                fleet.at(place).pause();
                sleep(2, 2);
                fleet.at(place).resume();
            }
            case STORE_NETWORK -> {
                fleet.link(place).hold(ways());
                sleep(0, 3);
                fleet.link(place).letPass();
            }
            case STORE_AWAY -> loseStore();
            case WALL_CLOCK -> {
                setClock(HOUR.negated());
                callers.awaitIds();
                setClock(YEAR);
            }
            case ROLLING_RESTART -> {
                for (int each = 0; each < KeyedFleet.SERVERS; each++) {
                    fleet.stopCleanly(each);
                    fleet.servers().restart(each);
                    callers.awaitIds();
                }
            }
        }
    }

    private Set<Way> ways() {
        return List.of(EnumSet.allOf(Way.class), EnumSet.of(Way.TO_SERVER), EnumSet.of(Way.TO_CLIENT))
                .get(random.nextInt(3));
    }

    /** For so many leases. */
    private void sleep(int least, int most) throws InterruptedException {
        Thread.sleep(lease.toMillis() * least + random.nextInt((int) lease.toMillis() * (most - least) + 1));
    }

    private void loseStore() throws InterruptedException {
        int how = random.nextInt(3);
        switch (how) {
            case 0 -> fleet.store().kill9();
            case 1 -> fleet.store().stop();
            default -> fleet.store().pause();
        }
        sleep(1, 2);
        if (how == 2) {
            fleet.store().resume();
        } else {
            fleet.store().restart();
        }
    }

    private void setClock(Duration shift) throws Exception {
        fleet.clock().shift(shift);
        Await.until("the clock is set by " + shift, () -> {
            Matcher time = TIME.matcher(fleet.at(0).send("GET", "/v1/status").body());
            return time.find()
                    && Duration.between(Instant.now().plus(shift), Instant.parse(time.group(1)))
                                    .abs()
                                    .compareTo(Duration.ofMinutes(10))
                            < 0;
        });
    }

    /** How often what happened, the longest time without a number by fault, and the history. */
    @Override
    public String toString() {
        return ", faults=" + run.counts() + ", milliseconds without a number=" + longestMillis + run;
    }
}
