package io.distributedid.simulation;

import io.distributedid.internal.lease.LeaseInternals;
import io.distributedid.internal.lease.StoreHeader;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Plays a {@link LeaseScenario}. At the end, when nothing goes wrong any more, rights must be given. */
final class LeaseRun {

    private static final long LONGEST = Duration.ofMinutes(15).toNanos();

    /** All that is late comes within this time. */
    private static final long QUIET_MILLIS = 6_500;

    private static final Duration WAIT = Duration.ofSeconds(3);

    private final LeaseScenario scenario;

    private final World world;

    private final LeaseScene scene;

    private LeaseRun(LeaseScenario scenario, boolean isLogged) {
        this.scenario = scenario;
        this.world = new World(scenario.seed(), scenario.setup().switchOneIn(), isLogged);
        this.scene = new LeaseScene(world, scenario);
    }

    static Script.Outcome of(LeaseScenario scenario, boolean isLogged) {
        LeaseRun run = new LeaseRun(scenario, isLogged);
        return Script.Outcome.of(
                run.world,
                run::play,
                run.scene.judge()::requireNoBlame,
                () -> run.scene.judge().count());
    }

    /** Whether a command has not closed the store. */
    static boolean isOpen(Map<String, Row> rows) {
        Row header = rows.get(StoreHeader.NAME);
        return header != null && header.state() == Row.State.OPEN;
    }

    static String token(LeaseServer server) {
        Row header = server.rows().get(StoreHeader.NAME);
        return header == null ? "" : header.text().get(Fields.TOKEN).orElse("");
    }

    private void play() {
        world.play(scenario.parts(), LeasePart::at, this::play, LONGEST);
        end();
    }

    /** A part whose process is killed has ended. */
    private void play(LeasePart part) {
        Host host = new Host(world, part.getClass().getSimpleName());
        boolean[] isOver = {false};
        World.Task unused = world.start(host, "plays", () -> {
            part.play(scene);
            isOver[0] = true;
        });
        boolean alsoUnused = world.await(() -> isOver[0] || host.isKilled(), LONGEST, false);
    }

    private void end() {
        world.log(() -> "all is well again");
        scene.allIsWell();
        for (LeaseServer each : scene.stores()) {
            each.away(false);
            each.hangs(false);
            each.lags(false);
        }
        if (scenario.isPeaceful()) {
            pause(1_000);
        } else {
            List.copyOf(scene.running()).forEach(LeaseProcess::setClockRight);
            pause(QUIET_MILLIS);
            finishCommands();
            awaitOpen();
            // Somebody may have found a loss only now.
            finishCommands();
            awaitOpen();
        }
        world.log(() -> "the last calls");
        for (LeaseProcess each : List.copyOf(scene.running())) {
            boolean isStranger = each.link().leadsTo() != scene.store() || each.wasElsewhere();
            if (!isStranger && each.hasStarted() && !each.isOutdated()) {
                requireRights(each);
            }
        }
        if (!startsLast()) {
            // It may be the first one that reads all rows.
            finishCommands();
            awaitOpen();
            if (!startsLast()) {
                throw new Judge.Verdict("All is well, and numbers are free, but a process does not start: "
                        + LeaseScene.told(scene.store().rows()));
            }
        }
    }

    /** Returns whether a new process gets a number, if one is free. */
    private boolean startsLast() {
        LeaseProcess last = new LeaseProcess(scene, 99, new Host(world, "last process"), scene.store());
        boolean isFree = scene.running().size() < numbers();
        boolean[] isOver = {false, false};
        World.Task unused = world.start(last.host(), "starts", () -> {
            scene.started(99, last);
            isOver[1] = last.start(WAIT, true);
            isOver[0] = true;
        });
        world.require(() -> isOver[0], LONGEST, "All is well, but a start does not end");
        if (isOver[1]) {
            requireRights(last);
        }
        return isOver[1] || !isFree;
    }

    /** Once numbers were taken for a single use, no more rows are created. */
    private long numbers() {
        Row row = scene.store().rows().get(StoreHeader.NAME);
        StoreHeader header = row == null ? null : new StoreHeader(row);
        return header == null || header.burnt() == 0 ? scenario.setup().numbers() : header.workers();
    }

    /** A process that runs has a number, and is active or standby. */
    private void requireRights(LeaseProcess process) {
        boolean[] isOver = {false};
        World.Task unused = world.start(process.host(), "last call", () -> {
            if (process.hasWorker() && !process.compose() && !process.compose() && !process.isClosed()) {
                // A process may tell of a loss only now.
                boolean isFree = scene.running().size() <= numbers()
                        && LeaseInternals.lost(Objects.requireNonNull(header())) == 0;
                if (isFree) {
                    throw new Judge.Verdict("All is well, but there is no id: " + process + " "
                            + LeaseScene.told(scene.store().rows()));
                }
            }
            boolean alsoUnused = process.next();
            isOver[0] = true;
        });
        world.require(
                () -> isOver[0] || process.host().isKilled() || process.host().pausedUntil() > world.now(),
                LONGEST,
                "All is well, but a call does not end");
    }

    private void pause(long millis) {
        world.sleep(millis * 1_000_000L);
    }

    private void run(LeaseParts.Command command) {
        world.log(() -> "the operator must run " + command);
        boolean[] isOver = {false, false};
        World.Task unused = world.start(new Host(world, "last operator"), "repeats", () -> {
            isOver[1] = LeaseParts.Operates.run(scene, command, 20);
            isOver[0] = true;
        });
        world.require(() -> isOver[0], LONGEST, "All is well, but a command does not end");
        if (!isOver[1]) {
            throw new Judge.Verdict("All is well, but a command fails: " + command + " "
                    + LeaseScene.told(scene.store().rows()));
        }
    }

    private void finishCommands() {
        if (header() == null) {
            scene.judge().allow(LeaseRule.EMPTY, LeaseRule.OTHER_STORE, LeaseRule.LOST);
            run(LeaseParts.Command.INIT);
        }
        if (!token(scene.store()).equals(scene.token())) {
            // A command was cut off once it had begun the store anew.
            scene.begun(token(scene.store()));
        }
        Row header = Objects.requireNonNull(header());
        if (header.state() == Row.State.MOVED) {
            run(LeaseParts.Command.MOVE);
        }
        header = Objects.requireNonNull(header());
        boolean isElsewhere = LeaseInternals.lost(header) != 0
                && !LeaseInternals.server(header).equals(scene.store().identity());
        if (header.state() == Row.State.CLOSED || isElsewhere) {
            scene.judge().allow(LeaseRule.LOST);
            run(LeaseParts.Command.REPAIR);
        }
    }

    private @Nullable Row header() {
        return scene.store().rows().get(StoreHeader.NAME);
    }

    /** A store that lost rows opens by itself. */
    private void awaitOpen() {
        Row header = Objects.requireNonNull(header());
        if (scene.evidence().wasAnyLost() || LeaseInternals.lost(header) != 0) {
            pause(LeaseInternals.longest(header) + 1_500);
        }
    }
}
