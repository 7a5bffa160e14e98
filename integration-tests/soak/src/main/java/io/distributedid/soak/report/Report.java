package io.distributedid.soak.report;

import io.distributedid.soak.fault.Fault;
import io.distributedid.soak.fault.Incident;
import io.distributedid.soak.ledger.CallAudit.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** What a run showed, as Markdown for people, with a picture beside it. */
public final class Report {

    private static final String PICTURE = "report.svg";

    private static final int MOST_REASONS = 12;

    private final Run run;

    private final List<RoundResult> rounds;

    private final StringBuilder text = new StringBuilder();

    /**
     * What the run was.
     *
     * @param command what repeats it
     * @param commit of the sources
     * @param machine for people
     * @param length of the whole run
     * @param skipped topologies that can't run here, with the reason of each
     * @param failures rounds that could not begin, with the reason of each
     */
    public record Run(
            String command,
            String commit,
            String machine,
            Duration length,
            List<String> skipped,
            List<String> failures) {}

    private Report(Run run, List<RoundResult> rounds) {
        this.run = run;
        this.rounds = rounds;
    }

    /** Writes {@code report.md} and {@code report.svg}; returns the first. */
    public static Path write(Path folder, Run run, List<RoundResult> rounds) throws IOException {
        Files.createDirectories(folder);
        if (!rounds.isEmpty()) {
            Files.writeString(folder.resolve(PICTURE), Picture.of(rounds));
        }
        return Files.writeString(folder.resolve("report.md"), of(run, rounds));
    }

    /** Whether there were rounds, all of them began and ended well, and no promise was broken. */
    public static boolean isGood(List<String> failures, List<RoundResult> rounds) {
        return failures.isEmpty() && !rounds.isEmpty() && rounds.stream().allMatch(RoundResult::isGood);
    }

    /** Returns the text. */
    static String of(Run run, List<RoundResult> rounds) {
        Report report = new Report(run, rounds);
        report.writeSummary();
        report.writeRounds();
        report.writeFaults();
        report.writeWaits();
        report.writeGaps();
        report.writeRefusals();
        report.writeExamples();
        return report.text.toString();
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values)).append('\n');
    }

    private long sum(ToLongFunction<RoundResult> number) {
        return rounds.stream().mapToLong(number).sum();
    }

    private void writeSummary() {
        boolean isGood = isGood(run.failures, rounds);
        line("# Report of a soak run: %s%n", isGood ? "no promise was broken" : "LOOK INTO THIS");
        line("| | |%n|---|---|");
        line("| command | `%s` |", run.command);
        line("| commit | `%s` |", run.commit);
        line("| machine | %s |", run.machine);
        line("| length | %d minutes, %d rounds |", run.length.toMinutes(), rounds.size());
        line("| ids | %,d |", sum(round -> round.ids().ids()));
        line("| calls in the ledger | %,d |", sum(round -> round.calls().entries()));
        line("| **ids given twice** | **%,d** |", sum(round -> round.ids().duplicates()));
        line(
                "| **ids out of order beyond the bound** | **%,d** |",
                sum(round -> round.order().violations()));
        line(
                "| rounds that did not end well | %d |",
                rounds.stream().filter(round -> round.failure().isPresent()).count());
        line("| calls refused while enough servers were up | %,d |", sum(round -> round.refused(Kind.SERVER_UP)));
        line("| calls refused while they were not | %,d |", sum(round -> round.refused(Kind.SERVER_DOWN)));
        line(
                "| calls refused as they must be: wrong settings | %,d |",
                sum(round -> round.refused(Kind.MISCONFIGURED)));
        line(
                "| ids that were given in spite of wrong settings | %,d |",
                sum(round -> round.calls().idsOfMisconfigured()));
        line(
                "| longest call that got ids | %s |",
                seconds(longest(round -> round.calls().longest())));
        line(
                "| the same, while enough servers were up | %s |",
                seconds(longest(round -> round.calls().longestWhileUp())));
        line("| faults | %,d |%n", sum(round -> round.incidents().size()));
        for (String skipped : run.skipped) {
            line("**SKIPPED:** %s%n", skipped);
        }
        for (String failure : run.failures) {
            line("**FAILED:** %s%n", cell(failure));
        }
        line("![Ids, waits and faults over time](%s)%n", PICTURE);
    }

    private Duration longest(Function<RoundResult, Duration> time) {
        return rounds.stream().map(time).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.2f s", time.toMillis() / 1e3);
    }

    private void writeRounds() {
        line("## Rounds%n");
        line(
                "Each round has new servers, three applications, and a ledger of its own. An id may be late by the bound. Ids"
                        + " beyond it are excused while no server answers, and of a process that has stood still.%n");
        line("| | topology | processes | ids | twice | out of order | latest | bound | excused | faults | end |");
        line("|---|---|---|---|---|---|---|---|---|---|---|");
        for (RoundResult round : rounds) {
            line(
                    "| %d | %s | %d | %,d | %d | %d | %s | %s | %s | %d | %s |",
                    round.number(),
                    round.topology(),
                    round.processes(),
                    round.ids().ids(),
                    round.ids().duplicates(),
                    round.order().violations(),
                    seconds(round.order().latest()),
                    seconds(round.bound()),
                    excused(round),
                    round.incidents().size(),
                    round.failure().map(Report::cell).orElse("good"));
        }
        line("");
    }

    private static String excused(RoundResult round) {
        long excused = round.order().excused();
        return excused == 0
                ? "0"
                : String.format(
                        Locale.ROOT,
                        "%,d, up to %s",
                        excused,
                        seconds(round.order().latestExcused()));
    }

    private static String cell(String text) {
        return text.replaceAll("\\s+", " ").replace("|", "\\|");
    }

    private void writeFaults() {
        Map<Fault, Integer> counts = new EnumMap<>(Fault.class);
        for (RoundResult round : rounds) {
            round.incidents().forEach(incident -> counts.merge(incident.fault(), 1, Integer::sum));
        }
        line("## Faults%n");
        line("| what happened | times |%n|---|---|");
        counts.forEach((fault, count) -> line("| %s | %d |", fault.text(), count));
        for (Fault fault : Fault.values()) {
            if (!counts.containsKey(fault) && fault != Fault.STARVED) {
                line("| %s | **never** |", fault.text());
            }
        }
        line("");
    }

    private void writeWaits() {
        line("## Waits%n");
        line(
                "| round | longest call that got ids | while enough servers were up | refused then | refused while down |");
        line("|---|---|---|---|---|");
        for (RoundResult round : rounds) {
            line(
                    "| %d | %s | %s | %,d | %,d |",
                    round.number(),
                    seconds(round.calls().longest()),
                    seconds(round.calls().longestWhileUp()),
                    round.refused(Kind.SERVER_UP),
                    round.refused(Kind.SERVER_DOWN));
        }
        line("");
    }

    private void writeGaps() {
        Gaps gaps = rounds.stream().flatMap(round -> round.gaps().stream()).reduce(Gaps.NONE, Gaps::plus);
        line("## Gaps%n");
        line("Missing ids, where ids are counted.%n");
        line("| cause | ids |%n|---|---|");
        line(
                "| %d times a counter was raised far: a server forgot, failed over or started anew | %,d |",
                gaps.raises(), gaps.raisedBy());
        line("| reserves that became too old, or were dropped by `beginAnew` | %,d |", gaps.tooOld());
        line("| reserves of processes that were killed | %,d |", gaps.killed());
        line("| reserves of processes that stopped; tickets and Redis take back what they can | %,d |", gaps.stopped());
        line("| other: lost answers, servers that were tried | %,d |", gaps.other());
        line("| all but the first | %,d |%n", gaps.missing());
    }

    private void writeRefusals() {
        line("## Calls that were refused%n");
        for (Kind kind : Kind.values()) {
            Map<String, Long> reasons = new TreeMap<>();
            for (RoundResult round : rounds) {
                round.calls().refused(kind).forEach((reason, count) -> reasons.merge(reason, count, Long::sum));
            }
            line("%s: %s.%n", title(kind), reasons.isEmpty() ? "none" : reasons.size() + " reasons");
            reasons.entrySet().stream()
                    .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                    .limit(MOST_REASONS)
                    .forEach(each ->
                            line("- %,d x `%s`", each.getValue(), each.getKey().replace('`', '\'')));
            line("");
        }
    }

    private static String title(Kind kind) {
        return switch (kind) {
            case SERVER_UP -> "While enough servers were up";
            case SERVER_DOWN -> "While too few servers were up, or just after that, or in a process with a wrong clock";
            case MISCONFIGURED -> "In processes with settings that must be refused";
        };
    }

    private void writeExamples() {
        for (RoundResult round : rounds) {
            Optional<String> failure = round.failure();
            if (!round.isGood()) {
                line("## Round %d%n", round.number());
                failure.ifPresent(why -> line("It did not end well: %s%n", cell(why)));
                round.ids().examples().forEach(each -> line("- twice: %s", each));
                round.order().examples().forEach(each -> line("- out of order: %s", each));
                round.incidents().stream()
                        .map(incident -> text(round, incident))
                        .forEach(each -> line("- fault: %s", each));
                line("");
            }
        }
    }

    private static String text(RoundResult round, Incident incident) {
        long began = round.timeline().began();
        return String.format(
                Locale.ROOT,
                "%.1f s to %.1f s %s %s",
                (incident.begin() - began) / 1e9,
                (incident.end() - began) / 1e9,
                incident.fault(),
                incident.detail());
    }
}
