package io.distributedid.simulation;

import io.distributedid.DistributedIdException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Plays a {@link Scenario}. At the end, when all servers are well and nothing goes wrong, ids must come. */
final class Run {

    private static final long LONGEST = Duration.ofMinutes(10).toNanos();

    /** After this time, a server that was left out is tried again. */
    private static final int QUIET_MILLIS = 15_000;

    private final Scenario scenario;

    private final World world;

    private final Scene scene;

    private final List<Host> playing = new ArrayList<>();

    private Run(Scenario scenario, boolean isLogged) {
        this.scenario = scenario;
        this.world = new World(scenario.seed(), scenario.setup().switchOneIn(), isLogged);
        this.scene = new Scene(world, scenario);
    }

    static Script.Outcome of(Scenario scenario, boolean isLogged) {
        Run run = new Run(scenario, isLogged);
        Judge judge = run.scene.judge();
        return Script.Outcome.of(run.world, run::play, judge::requireNoBlame, judge::count);
    }

    private void play() {
        int[] left = {scenario.parts().size()};
        for (Part each : scenario.parts()) {
            world.startAfter(each.at() * 1_000_000L, new Host(world, "fate"), "begin", () -> {
                Host host = each.host(scene);
                playing.add(host);
                World.Task unused = world.start(host, each.getClass().getSimpleName(), () -> {
                    each.play(scene);
                    left[0]--;
                    playing.remove(host);
                });
            });
        }
        boolean isOver = world.await(() -> isOver(left[0]), LONGEST, false);
        if (!isOver) {
            throw new Judge.Verdict("The run does not end; it waits for " + playing);
        }
        end();
    }

    /** Parts of processes that were killed do not end. */
    private boolean isOver(int left) {
        int open = left;
        for (int i = 0; i < playing.size(); i++) {
            open -= playing.get(i).isKilled() ? 1 : 0;
        }
        return open == 0;
    }

    private void end() {
        world.log(() -> "all is well again");
        scene.network().end();
        scene.servers().forEach(MemoryServer::start);
        Part.pause(scene, QUIET_MILLIS);
        finishOperators();
        scene.judge().allIsWell();
        int[] left = {0};
        for (Application each : List.copyOf(scene.applications())) {
            for (String name : scenario.setup().names()) {
                left[0]++;
                World.Task unused = world.start(each.host(), "last", () -> {
                    each.mustTake(each + " last", name);
                    left[0]--;
                });
            }
        }
        Part.pause(scene, 2 * QUIET_MILLIS);
        if (left[0] > 0) {
            throw new Judge.Verdict("All servers are well, but calls do not end: " + left[0]);
        }
        Application last = scene.application(new Host(world, "last process"));
        try {
            last.open(scenario.setup().names(), false);
        } catch (DistributedIdException e) {
            last.failed(scenario.setup().names().get(0), e);
            if (!scene.judge().isAllowed(e)
                    && !scenario.setup().ends(scenario.setup().names().get(0))) {
                throw new Judge.Verdict("All servers are well, but sequences can't be opened: " + e.getMessage());
            }
        }
        for (String name : scenario.setup().names()) {
            last.mustTake("last process", name);
        }
        takeFromEach(last);
    }

    /** Each server gives ids when the others stop, also one that was away before, unless it may lie too far behind. */
    private void takeFromEach(Application application) {
        if (scenario.setup().isTickets()) {
            // Only a draw shows that a ticket table went back.
            scenario.setup().names().stream()
                    .filter(name -> !scenario.setup().ends(name))
                    .forEach(name -> scene.listed().forEach(each -> {
                        application.forgetReserved();
                        application.mustTake("last process", name);
                    }));
        }
        if (scene.evidence().isAnyOpen()) {
            scene.judge().allow(Rule.ALONE_AND_BACK);
        }
        for (MemoryServer each : scene.listed()) {
            if (scene.listed().size() > 1 && scenario.setup().blockMax() <= 1_000) {
                scene.listed().stream().filter(other -> other != each).forEach(MemoryServer::stop);
                Part.pause(scene, QUIET_MILLIS);
                application.forgetReserved();
                scenario.setup().names().stream()
                        .filter(name -> !scenario.setup().ends(name))
                        .forEach(name -> application.mustTake("last process from " + each, name));
                scene.listed().forEach(MemoryServer::start);
            }
        }
    }

    /** What was cut off is repeated. */
    private void finishOperators() {
        if (scene.isCutOff()) {
            String name = scenario.setup().names().get(0);
            long above = Math.max(1, scene.judge().highest(name));
            // A command that was cut off before the counter's first use is finished by a repair that names an id.
            if (!scene.finish() && !(LedgerOperators.repair(scene, name, above, 5) && scene.finish())) {
                throw new Judge.Verdict("A move that was cut off can't be repeated");
            }
            if (!scene.isEnded() && !LedgerOperators.repair(scene, name, above, 5)) {
                throw new Judge.Verdict("A repair that was cut off can't be repeated");
            }
            Part.pause(scene, QUIET_MILLIS);
        }
    }
}
