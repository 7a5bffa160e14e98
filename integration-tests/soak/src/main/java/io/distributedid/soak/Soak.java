package io.distributedid.soak;

import io.distributedid.soak.application.OtherLibrary;
import io.distributedid.soak.report.Report;
import io.distributedid.soak.report.RoundResult;
import io.distributedid.soak.topology.Topology;
import io.distributedid.soak.topology.TopologyKind;
import io.distributedid.testkit.TestFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;

/**
 * Runs rounds for some time and writes a report. The seed decides the topologies and the faults. Ends with exit code 1
 * if an id was given twice, if one was out of order beyond the bound, or if a round did not end well.
 *
 * <p>System properties: {@code soak.minutes}, {@code soak.seed}, {@code soak.round} (seconds of a round),
 * {@code soak.topologies} (names of {@link TopologyKind}, separated by commas; else all), {@code soak.library} (the jar
 * of another version of the library, for rolling deploys), {@code soak.folder} (for ledgers and the report),
 * {@code soak.sources} (where the commit is read).
 */
public final class Soak {

    private static final int SHORTEST_ROUND_SECONDS = 20;

    private final Duration length = Duration.ofMinutes(Long.getLong("soak.minutes", 10));

    private final long seed = chosenSeed();

    private final Path folder =
            Path.of(System.getProperty("soak.folder", "target/soak")).toAbsolutePath();

    private final long began = System.nanoTime();

    private final Random random = new Random(seed);

    private final List<TopologyKind> kinds = new ArrayList<>();

    private final List<TopologyKind> left = new ArrayList<>();

    private final List<String> skipped = new ArrayList<>();

    private final List<String> failures = new ArrayList<>();

    private int rounds;

    private final List<RoundResult> results = new ArrayList<>();

    private Soak() {}

    /** An empty one is drawn. */
    private static long chosenSeed() {
        String chosen = System.getProperty("soak.seed", "");
        return chosen.isEmpty() ? System.nanoTime() % 1_000_000_000 : Long.parseLong(chosen);
    }

    public static void main(String[] args) throws Exception {
        boolean isGood = new Soak().run();
        System.exit(isGood ? 0 : 1);
    }

    private boolean run() throws Exception {
        TestFiles.deleteTree(folder);
        Files.createDirectories(folder);
        OtherLibrary.jar().ifPresent(jar -> say("some rolling deploys bring " + jar.getFileName()));
        chooseKinds();
        Duration round = roundLength();
        say("seed " + seed + ", " + length.toMinutes() + " minutes, rounds of " + round.toSeconds() + " s");
        Path report = write();
        while (remaining().compareTo(round.dividedBy(2)) > 0 && !kinds.isEmpty()) {
            runRound(round.compareTo(remaining()) < 0 ? round : remaining());
            report = write();
        }
        boolean isGood = Report.isGood(failures, results);
        say((isGood ? "no promise was broken" : "LOOK INTO THIS") + ". Report: " + report);
        return isGood;
    }

    private Duration remaining() {
        return length.minusNanos(System.nanoTime() - began);
    }

    private void chooseKinds() {
        String wanted = System.getProperty("soak.topologies", "");
        for (TopologyKind kind : TopologyKind.values()) {
            if (wanted.isEmpty() || List.of(wanted.split(", *")).contains(kind.name())) {
                Optional<String> missing = kind.missing();
                if (missing.isEmpty()) {
                    kinds.add(kind);
                } else {
                    skipped.add(kind.text() + ". " + missing.get());
                    say("*** SKIPPED: " + kind.text() + ". " + missing.get());
                }
            }
        }
    }

    /** Each topology comes once at least, if there is time. */
    private Duration roundLength() {
        long most = Long.getLong("soak.round", 120);
        long fair = length.toSeconds() / Math.max(1, kinds.size());
        return Duration.ofSeconds(Math.max(SHORTEST_ROUND_SECONDS, Math.min(most, fair)));
    }

    private TopologyKind draw() {
        if (left.isEmpty()) {
            left.addAll(kinds);
            Collections.shuffle(left, random);
        }
        return left.remove(left.size() - 1);
    }

    private void runRound(Duration time) throws Exception {
        int number = ++rounds;
        TopologyKind kind = draw();
        long ofRound = random.nextLong();
        say("round " + number + ": " + kind.text());
        long end = System.nanoTime() + time.toNanos();
        Path ofServers = Files.createDirectories(folder.resolve("servers" + number));
        try (Topology topology = kind.start(ofServers)) {
            add(new Round(number, kind.text(), topology, ledger(number)).run(ofRound, end));
        } catch (IOException | SQLException | IllegalStateException | AssertionError e) {
            failures.add("Round " + number + ", " + kind.text() + ", has no servers: " + e);
            say("*** " + failures.get(failures.size() - 1));
        }
        TestFiles.deleteTree(ofServers);
    }

    private Path ledger(int round) {
        return folder.resolve("ledger" + round);
    }

    private void add(RoundResult result) throws IOException {
        results.add(result);
        Path ofLedger = ledger(result.number());
        if (result.isGood()) {
            TestFiles.deleteTree(ofLedger);
        } else {
            say("*** The ledger is kept: " + ofLedger);
        }
        say(String.format(
                Locale.ROOT,
                "round %d: %,d ids, %d twice, %d out of order, %d faults%s",
                result.number(),
                result.ids().ids(),
                result.ids().duplicates(),
                result.order().violations(),
                result.incidents().size(),
                result.failure().map(why -> "; it did not end well: " + why).orElse("")));
    }

    private Path write() throws IOException {
        String command = "mvn -Psoak verify -Dsoak.minutes=" + length.toMinutes() + " -Dsoak.seed=" + seed
                + chosen("soak.round", "120") + chosen("soak.topologies", "")
                + OtherLibrary.jar()
                        .map(jar -> " -Dsoak.library=" + jar.getFileName())
                        .orElse("");
        String machine = System.getProperty("os.name") + ", "
                + Runtime.getRuntime().availableProcessors() + " processors, Java "
                + System.getProperty("java.version");
        Report.Run run = new Report.Run(
                command, commit(), machine, Duration.ofNanos(System.nanoTime() - began), skipped, failures);
        return Report.write(folder, run, results);
    }

    private static String chosen(String property, String usual) {
        String value = System.getProperty(property, usual);
        return value.equals(usual) ? "" : " -D" + property + "=" + value;
    }

    /** As Git knows it; with a remark if files were changed since. */
    private static String commit() throws IOException {
        String sources = System.getProperty("soak.sources", ".");
        String changes = git(sources, "status", "--porcelain");
        return git(sources, "rev-parse", "HEAD") + (changes.isEmpty() ? "" : " with changes");
    }

    private static String git(String folder, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of("git", "-C", folder));
        command.addAll(Arrays.asList(arguments));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .lines()
                .limit(1)
                .collect(Collectors.joining())
                .strip();
    }

    private static void say(String what) {
        System.out.println("soak: " + what);
    }
}
