package io.distributedid.soak.fault;

import io.distributedid.soak.application.ApplicationProcess;
import io.distributedid.soak.application.Applications;
import io.distributedid.soak.application.Board.Field;
import io.distributedid.soak.application.OtherLibrary;
import io.distributedid.soak.topology.Topology;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/** Lets faults of applications happen, one after the other. */
final class ApplicationFaults {

    private static final Duration PATIENCE = Duration.ofMinutes(3);

    /** So long an application with wrong settings may take to start and to ask for ids. */
    private static final Duration MISCONFIGURED = Duration.ofSeconds(30);

    private static final int LOOK_MILLIS = 50;

    private static final int SMALL_STEP_MILLIS = 400;

    private static final int HOUR_MILLIS = 3_600_000;

    private final Topology topology;

    private final Applications applications;

    private final Incidents incidents;

    private final int places;

    /** @param places how many applications run */
    ApplicationFaults(Topology topology, Applications applications, Incidents incidents, int places) {
        this.topology = topology;
        this.applications = applications;
        this.incidents = incidents;
        this.places = places;
    }

    static Set<Fault> of(Topology topology) {
        Set<Fault> faults = EnumSet.of(
                Fault.APPLICATION_KILLED,
                Fault.APPLICATION_STOPPED,
                Fault.APPLICATIONS_RESTARTED,
                Fault.DIFFERENT_SETTINGS,
                Fault.CLOCK_STEPPED,
                Fault.SNAPSHOT_RESUMED);
        if (OtherLibrary.jar().isPresent()) {
            faults.add(Fault.DIFFERENT_LIBRARY);
        }
        if (!topology.wrongSettings().isEmpty()) {
            faults.add(Fault.WRONG_SETTINGS);
        }
        return faults;
    }

    void inflict(Step step) throws Exception {
        SplittableRandom random = step.random();
        int place = random.nextInt(places);
        ApplicationProcess process = applications.at(place);
        String name = Applications.name(process.number());
        long begin = System.nanoTime();
        Set<String> down = Set.of();
        String detail = name;
        switch (step.fault()) {
            case APPLICATION_KILLED -> {
                process.kill9();
                applications.start(place, topology.settings());
            }
            case APPLICATION_STOPPED -> {
                down = Set.of(name);
                process.pause();
                Thread.sleep(step.lastsMillis());
                process.resume();
            }
            case APPLICATIONS_RESTARTED -> {
                detail = "all";
                deploy(topology.settings(), Optional.empty());
            }
            case DIFFERENT_SETTINGS -> {
                detail = "all";
                deploy(topology.differentSettings(), Optional.empty());
                Thread.sleep(step.lastsMillis());
                deploy(topology.settings(), Optional.empty());
            }
            case DIFFERENT_LIBRARY -> {
                detail = "all";
                deploy(topology.settings(), OtherLibrary.jar());
                Thread.sleep(step.lastsMillis());
                deploy(topology.settings(), Optional.empty());
            }
            case WRONG_SETTINGS -> detail = runMisconfigured(step.lastsMillis(), random);
            case CLOCK_STEPPED -> {
                long millis = step(random);
                detail = name + " by " + millis + " ms";
                down = Set.of(name);
                process.setClock(millis);
                Thread.sleep(step.lastsMillis());
                process.setClock(0);
            }
            case SNAPSHOT_RESUMED -> {
                down = Set.of(name);
                process.pause();
                Thread.sleep(step.lastsMillis());
                process.beginAnew();
                process.resume();
            }
            default -> throw new IllegalArgumentException("No fault of applications: " + step.fault());
        }
        incidents.add(new Incident(begin, System.nanoTime(), step.fault(), detail, down));
    }

    /** By hours and by fractions of a second. */
    private static long step(SplittableRandom random) {
        return random.nextInt(3) == 0
                ? random.nextInt(-5, 5) * (long) HOUR_MILLIS + HOUR_MILLIS / 2
                : random.nextInt(-SMALL_STEP_MILLIS, SMALL_STEP_MILLIS);
    }

    /** One after the other; the next one is stopped once the one before has ids. */
    private void deploy(Map<String, String> settings, Optional<Path> library) throws Exception {
        for (int place = 0; place < places; place++) {
            applications.at(place).stop();
            applications.start(place, settings, library);
            applications.awaitIds(PATIENCE);
        }
    }

    private String runMisconfigured(int millis, SplittableRandom random) throws Exception {
        List<Map<String, String>> wrong = topology.wrongSettings();
        ApplicationProcess process = applications.startMisconfigured(wrong.get(random.nextInt(wrong.size())));
        long end = System.nanoTime() + MISCONFIGURED.toNanos();
        while (System.nanoTime() < end && process.isAlive() && process.board().get(Field.REFUSALS) == 0) {
            Thread.sleep(LOOK_MILLIS);
        }
        Thread.sleep(millis);
        process.kill9();
        return Applications.name(process.number());
    }
}
