package io.distributedid.soak.application;

import io.distributedid.soak.application.Board.Field;
import io.distributedid.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The applications of a round: each has a place, where one process follows the other. */
public final class Applications implements AutoCloseable {

    private static final int THREADS = 2;

    private static final long MORE_CALLS = 20;

    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Path folder;

    private final int counters;

    private final Map<Integer, ApplicationProcess> running = new HashMap<>();

    private final List<ApplicationProcess> all = new ArrayList<>();

    private final Set<Integer> misconfigured = new HashSet<>();

    /** @param counters how many servers count for themselves */
    public Applications(Path folder, int counters) {
        this.folder = folder;
        this.counters = counters;
    }

    /** How a process is called in incidents. */
    public static String name(int process) {
        return "application " + process;
    }

    /** Starts a process at a place, whose last one has ended. */
    public ApplicationProcess start(int place, Map<String, String> settings) throws IOException {
        return start(place, settings, Optional.empty());
    }

    /**
     * Starts a process at a place, whose last one has ended.
     *
     * @param library the jar of another version of the library; else the tested one
     */
    public synchronized ApplicationProcess start(int place, Map<String, String> settings, Optional<Path> library)
            throws IOException {
        ApplicationProcess process = next(settings, library);
        running.put(place, process);
        return process;
    }

    /** Starts a process at no place, which must not give ids. */
    public synchronized ApplicationProcess startMisconfigured(Map<String, String> settings) throws IOException {
        ApplicationProcess process = next(settings, Optional.empty());
        misconfigured.add(process.number());
        return process;
    }

    private ApplicationProcess next(Map<String, String> settings, Optional<Path> library) throws IOException {
        ApplicationProcess process =
                ApplicationProcess.start(folder, all.size() + 1, counters, THREADS, settings, library);
        all.add(process);
        return process;
    }

    public synchronized ApplicationProcess at(int place) {
        return running.get(place);
    }

    /** All that ever ran, by their numbers from 1 on. */
    public synchronized List<ApplicationProcess> all() {
        return List.copyOf(all);
    }

    public synchronized boolean isMisconfigured(int process) {
        return misconfigured.contains(process);
    }

    /** The largest id that any process has got. */
    public long largest() {
        return all().stream()
                .mapToLong(process -> process.board().get(Field.LARGEST))
                .max()
                .orElse(0);
    }

    /** Waits until the process at each place has taken more ids. */
    public void awaitIds(Duration patience) {
        for (int place : places()) {
            ApplicationProcess process = at(place);
            long before = process.board().get(Field.CALLS);
            Await.every(
                    PAUSE,
                    patience,
                    name(process.number()) + " has ids",
                    () -> {
                        if (!process.isAlive()) {
                            throw new IllegalStateException(name(process.number()) + " has ended: " + process.log());
                        }
                        return process.board().get(Field.CALLS) >= before + MORE_CALLS;
                    },
                    () -> process.board().get(Field.CALLS) - before + " calls; refused for " + process.reasons());
        }
    }

    private synchronized List<Integer> places() {
        return running.keySet().stream().sorted().toList();
    }

    /** Ends all in good order. */
    public void stop() throws IOException, InterruptedException {
        for (int place : places()) {
            at(place).stop();
        }
    }

    /** SIGKILL to all that still run. */
    public void killAll() throws InterruptedException {
        for (ApplicationProcess process : all()) {
            if (process.isAlive()) {
                process.kill9();
            }
        }
    }

    @Override
    public void close() {
        all().forEach(ApplicationProcess::close);
    }
}
