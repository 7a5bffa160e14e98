package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Raises the counter of a sequence on all servers. Looks at all of them first, and changes nothing if one is wrong. */
@Command(
        name = "raise",
        description = {
            "Raise the counter of a sequence on every server above an id, or above the ids in a table.",
            "For the move from AUTO_INCREMENT: run it while no process takes ids of the sequence and nobody inserts"
                    + " rows. Never lowers a counter. All servers must answer and be in line, else nothing is changed."
                    + " Running processes may still issue lower ids that they have reserved. If ids hold the time, the"
                    + " largest in the table is compared with the clock."
        },
        footer = {
            "",
            "Examples:",
            "  distributedid raise photos --above 5000000 --dry-run --config ids.properties",
            "  distributedid raise photos --table photo --column id --database jdbc:mysql://s1/app \\",
            "    --database jdbc:mysql://s2/app --user app --dry-run --config ids.properties"
        })
final class RaiseCommand extends CounterCommand {

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    private String sequence = "";

    @ArgGroup(multiplicity = "1")
    private Ids ids = new Ids();

    /** Above which ids. */
    static final class Ids {

        @Option(names = "--above", paramLabel = "ID", description = "An id, 1 or more.")
        private long above = 1;

        @ArgGroup(exclusive = false)
        private @Nullable IdColumn column;
    }

    @Override
    public Integer call() {
        if (ids.above < 1) {
            throw new IdConfigurationException("Ids are positive: --above=" + ids.above + ", allowed: 1 or more");
        }
        CommandSettings settings = options().read().readOnly();
        IdColumn column = ids.column;
        try (DistributedIds opened = settings.open()) {
            long id = column == null ? ids.above : column.largest(settings, out());
            List<CheckResult> besides = new ArrayList<>();
            boolean holdTime = false;
            if (column != null) {
                opened.admin().checkAbove(sequence, id).ifPresent(besides::add);
                holdTime = !besides.isEmpty();
                column.autoIncrement(settings).stream()
                        .filter(each -> each.status() != Status.OK)
                        .forEach(besides::add);
            }
            List<CheckResult> counters = holdTime ? List.of() : counters(opened, id);
            boolean inLine = !holdTime && raise(opened, id, counters);
            String text = holdTime
                    ? "The ids of " + sequence + " hold the time: there is no counter to raise."
                    : !inLine
                            ? "Nothing was raised. Fix what failed, and repeat the command."
                            : dryRun ? UNCHANGED : "All ids of " + sequence + " from now on lie above " + id + ".";
            Map<String, Long> lastIds = new LinkedHashMap<>();
            counters.forEach(each -> each.lastId().ifPresent(last -> lastIds.put(each.server(), last)));
            Report all =
                    report(Stream.of(counters, besides).flatMap(List::stream).toList());
            Map<String, Object> json = json(sequence, inLine && !dryRun, id, lastIds);
            json.putAll(all.json());
            result(besides.isEmpty() ? text : text + System.lineSeparator() + report(besides), json);
            return all.exitCode();
        }
    }

    /** What the servers' counters are, and what was wrong. */
    private List<CheckResult> counters(DistributedIds opened, long id) {
        List<CheckResult> counters = opened.admin().check(sequence, id).stream()
                .filter(each -> each.lastId().isPresent() || each.status() == Status.FAILED)
                .toList();
        if (counters.isEmpty()) {
            throw new IdConfigurationException("Only a sequence with a counter can be raised: SEQ=" + sequence
                    + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
        }
        return counters;
    }

    /** Whether all servers are in line. */
    private boolean raise(DistributedIds opened, long id, List<CheckResult> counters) {
        Report report = report(counters);
        out().println(report);
        if (report.exitCode() != 0) {
            return false;
        }
        agree(sequence, "Counters of " + sequence + " that are lower are raised above " + id + " for good.");
        if (!dryRun) {
            opened.admin().raise(sequence, id);
        }
        return true;
    }

    private Report report(List<CheckResult> results) {
        Report report = new Report(options().secrets());
        results.forEach(each -> report.add(sequence, each));
        return report;
    }
}
