package io.distributedid.snowflake;

import io.distributedid.IdUnavailableException;
import io.distributedid.snowflake.lease.Grant;
import io.distributedid.snowflake.lease.SimulatedClock;
import io.distributedid.snowflake.lease.SimulatedTenant;
import io.distributedid.snowflake.lease.SimulatedTenant.Fate;
import io.distributedid.snowflake.lease.SimulatedTenant.Found;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * A machine on which one process after another runs in simulated time: the generator and the tenant are the real ones; what their
 * threads do is told here as in {@code Lease}, whose threads sleep in real time.
 */
final class SimulatedNode {

    private static final long MILLI = 1_000;

    private static final long SECOND = 1_000 * MILLI;

    private static final long TIMEOUT = 2 * SECOND;

    private static final long START_WAIT = 60 * SECOND;

    private static final long PATIENCE = 6 * SECOND;

    /** A failure that is younger is told to callers without another attempt. */
    private static final long FRESH = 500 * MILLI;

    private final Simulation world;

    private final SplittableRandom random;

    private final SimulatedClock clock = new SimulatedClock();

    /** Numbers the processes; what was planned for an earlier one does not happen. */
    private int life;

    /** Numbers the windows. */
    private int maker;

    private boolean alive;

    private boolean everMadeAnId;

    private long startedAt;

    private long pausedUntil;

    private boolean talking;

    private long failedAt = -FRESH;

    private boolean failed;

    private boolean stopping;

    private SimulatedTenant tenant;

    private SettableWorker worker;

    private SnowflakeGenerator generator;

    private Grant published;

    private Grant before;

    private int makerBefore;

    SimulatedNode(Simulation world) {
        this.world = world;
        this.random = world.random();
        setClockRight();
    }

    /** As right as clocks are. */
    void setClockRight() {
        clock.set(world.drift(), world.skew());
    }

    void setClock(long micros) {
        clock.set(world.drift(), micros);
    }

    boolean isAlive() {
        return alive;
    }

    boolean isStopping() {
        return stopping;
    }

    boolean isRunning() {
        return generator != null && !stopping;
    }

    void start() {
        life = world.newLife();
        alive = true;
        stopping = false;
        everMadeAnId = false;
        talking = false;
        failed = false;
        startedAt = world.now();
        pausedUntil = 0;
        generator = null;
        worker = null;
        published = null;
        before = null;
        tenant = new SimulatedTenant(
                world.store(),
                world.terms(),
                clock,
                () -> 1_000 * world.now(),
                () -> random.nextInt(Integer.MAX_VALUE));
        converse();
    }

    /** It is gone at once; what it has sent still arrives. */
    void crash() {
        life = -1;
        alive = false;
        stopping = false;
        generator = null;
    }

    /** A clean stop: after the conversation that goes on the rest of the window is handed back. */
    void stop() {
        stopping = true;
        later(0, this::leave);
    }

    private void leave() {
        if (talking) {
            later(10 * MILLI, this::leave);
            return;
        }
        if (generator != null) {
            long unused = generator.close();
            SimulatedTenant leaving = tenant;
            Fate fate = world.fate();
            if (!failed) {
                world.after(world.latency(), () -> {
                    leaving.handBack(unused, fate);
                    late(leaving);
                });
            }
        }
        crash();
    }

    /** Stands still, and knows nothing of it. */
    void pause(long micros) {
        pausedUntil = Math.max(pausedUntil, world.now() + micros);
    }

    /** The process does something later, if it lives then, and when it is not paused. */
    private void later(long micros, Runnable step) {
        int planned = life;
        world.after(micros, () -> {
            if (life != planned) {
                return;
            }
            if (world.now() < pausedUntil) {
                later(pausedUntil - world.now() + random.nextLong(10 * MILLI), step);
                return;
            }
            clock.show(clock.at(world.now()));
            step.run();
        });
    }

    private void converse() {
        talking = true;
        SimulatedTenant speaker = tenant;
        long clockBefore = clock.at(world.now());
        int planned = life;
        world.after(world.latency(), () -> {
            Found found = SimulatedTenant.look(world.store(), SimulatedClock.BEGIN + world.now() / MILLI);
            if (life == planned) {
                later(
                        found.rows() == null ? world.outageLatency() : world.latency(),
                        () -> write(speaker, clockBefore, found));
            }
        });
    }

    /** The answer to the read has come. */
    private void write(SimulatedTenant speaker, long clockBefore, Found found) {
        long clockAfter = clock.millis();
        Fate fate = world.fate();
        long sent = 0;
        if (world.isPausedBeforeSending()) {
            sent = world.pauseLength();
            pause(sent);
        }
        int planned = life;
        // What a process has sent arrives even if it has died meanwhile; what it could not send doesn't.
        boolean held = sent > 0;
        world.after(sent + world.latency(), () -> {
            if (held && life != planned) {
                return;
            }
            Optional<Exception> failure = speaker.converse(clockBefore, clockAfter, found, fate);
            late(speaker);
            if (life == planned) {
                boolean silent = failure.isPresent() && found.rows() != null && fate != Fate.ANSWERED;
                later(silent ? TIMEOUT : world.latency(), () -> answered(failure));
            }
        });
    }

    private void late(SimulatedTenant sender) {
        sender.late().ifPresent(message -> world.after(random.nextLong(150 * SECOND), message));
    }

    private void answered(Optional<Exception> failure) {
        talking = false;
        publish();
        failed = failure.isPresent();
        if (failed) {
            failedAt = world.now();
            world.report().refused(failure.get().getMessage());
            if (generator == null) {
                startFailed(failure.get());
            }
        } else if (tenant.isDue()) {
            converse();
        } else if (generator == null) {
            long left = (published.from() - clock.millis()) * MILLI;
            later(Math.max(0, Math.min(PATIENCE, left)), this::open);
        }
    }

    private void startFailed(Exception failure) {
        if (SimulatedTenant.isTaken(failure) && world.now() - startedAt <= START_WAIT) {
            later(backgroundPause(), this::converse);
        } else {
            world.report().startFailed();
            crash();
            world.after(5 * SECOND + random.nextLong(10 * SECOND), () -> {
                if (!alive) {
                    long since = startedAt;
                    start();
                    startedAt = since;
                }
            });
        }
    }

    private void publish() {
        Grant granted = tenant.granted();
        if (granted != null && !granted.equals(published)) {
            if (published == null || published.worker() != granted.worker() || published.from() != granted.from()) {
                before = published;
                makerBefore = maker;
                maker = world.newMaker();
            }
            published = granted;
            if (worker != null) {
                worker.set(window());
            }
        }
    }

    private Worker.Window window() {
        return new Worker.Window(published.worker(), published.from(), published.until());
    }

    private void open() {
        worker = new SettableWorker(window());
        // Less than no tolerance: a caller that would wait, in real time, is refused.
        generator = new SnowflakeGenerator(
                Snowflakes.LAYOUT, worker, clock, Duration.ofMillis(100), Duration.ofMillis(-1), random::nextLong);
        later(backgroundPause(), this::background);
        work();
    }

    /** What the lease's thread does. */
    private void background() {
        if (!stopping) {
            if (!talking && tenant.isDue()) {
                converse();
            }
            later(backgroundPause(), this::background);
        }
    }

    private long backgroundPause() {
        return 1_500 * MILLI + random.nextLong(3 * SECOND);
    }

    /** The application persists entities. */
    private void work() {
        if (stopping) {
            return;
        }
        boolean wasPaused = pausedUntil > 0;
        if (wasPaused) {
            if (random.nextInt(3) == 0) {
                // Stopped after it had looked at the clock.
                clock.show(clock.at(pausedUntil) - random.nextLong(120 * SECOND) / MILLI);
            }
            pausedUntil = 0;
        }
        long pause = world.workPause();
        try {
            take(world.idsAtOnce());
        } catch (IdUnavailableException e) {
            boolean ended = e.getMessage().startsWith("The store is away");
            world.report().refused(ended ? SimulationReport.WINDOW_ENDED : e.getMessage());
            if (ended) {
                want();
            }
            pause = SECOND / 2 + random.nextLong(3 * SECOND);
        }
        later(pause, this::work);
    }

    private void take(int count) {
        IdLedger ledger = world.ledger();
        for (int i = 0; i < count; i++) {
            long id = generator.next(0);
            ledger.add(id, maker(id));
            if (!everMadeAnId) {
                everMadeAnId = true;
                world.report().firstId(world.now() - startedAt);
            }
        }
    }

    /** Ids ahead of the clock, which the generator took from the window before, are still owned. */
    private int maker(long id) {
        long time = Snowflakes.LAYOUT.millis(id >>> IdLedger.TIME_SHIFT);
        long number = IdLedger.number(id);
        if (number == published.worker() && published.covers(time)) {
            return maker;
        }
        if (before != null && number == before.worker() && before.covers(time)) {
            return makerBefore;
        }
        throw new AssertionError(id + " of number " + number + " and time " + time + " lies outside of " + published);
    }

    /** The window has ended: its renewal does not wait for its turn. */
    private void want() {
        if (!talking && world.now() - failedAt >= FRESH && tenant.isDue()) {
            converse();
        }
    }
}
