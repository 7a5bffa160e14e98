package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Numbering;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Raises the counter of a sequence on all servers. Looks at all of them first, and changes nothing if one is wrong. */
@Command(
        name = "raise",
        description = "Raise the counter of a sequence on every server, so that all ids from now on lie above an id."
                + " Lowers none. Looks at every server first: all must answer and be in line, else nothing is changed."
                + " Processes that run may still give lower ids that they have reserved.",
        footer = {"", "Example:", "  distributedid raise photos --above 5000000 --dry-run --config ids.properties"})
final class RaiseCommand extends SequenceCommand {

    private static final Pattern NUMBERING = Pattern.compile("increment=(\\d+) offset=(\\d+)");

    @Option(names = "--above", paramLabel = "ID", required = true, description = "An id, 1 or more.")
    private long above;

    @Option(
            names = "--dry-run",
            description = "Print from where to where each counter would be raised. Change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        if (above < 1) {
            throw new IdConfigurationException("Ids are positive: --above=" + above + ", allowed: 1 or more");
        }
        try (DistributedIds ids = options().read().readOnly().open()) {
            List<CheckResult> results = ids.check(sequence);
            CheckCommand.Report report = new CheckCommand.Report(options().secrets());
            results.stream()
                    .filter(result -> result.status() == CheckResult.Status.FAILED)
                    .forEach(result -> report.add(sequence, result));
            if (report.hasFailed()) {
                report.print(out());
                out().println("Nothing was raised. End what failed, and repeat the command.");
                return 1;
            }
            Map<String, String> before = CounterReport.last(results);
            if (before.isEmpty()) {
                throw new IdConfigurationException("Only a sequence that counts can be raised: SEQ=" + sequence
                        + ", allowed: sequences of ticket servers or of a sequence table");
            }
            if (dryRun) {
                print(results, before, raised(results, before));
                out().println("Dry run: nothing was raised.");
            } else {
                print(results, before, raise(ids, before));
                out().println("All ids of " + sequence + " from now on lie above " + above + ".");
            }
            return 0;
        }
    }

    private Map<String, Long> raise(DistributedIds ids, Map<String, String> before) {
        ids.raiseAbove(sequence, above);
        Map<String, Long> now = ids.counters(sequence).lastIds();
        if (!now.keySet().equals(before.keySet())) {
            throw new IdUnavailableException("All servers must answer, so that none stays below: before="
                    + before.keySet() + " now=" + now.keySet() + ". Repeat the command");
        }
        return now;
    }

    /** Where the counters would be after a raise. One whose next id lies above is left as it is. */
    private Map<String, Long> raised(List<CheckResult> results, Map<String, String> before) {
        Map<String, Long> raised = new TreeMap<>();
        for (CheckResult result : results) {
            Matcher found = NUMBERING.matcher(result.detail());
            if (result.what().equals("numbering") && found.matches()) {
                Numbering numbering = new Numbering(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)));
                if (above > Long.MAX_VALUE - 2 * numbering.increment()) {
                    throw new IdsExhaustedException("No ids are left above: --above=" + above + ", allowed: up to "
                            + (Long.MAX_VALUE - 2 * numbering.increment()));
                }
                long last = CounterReport.id(before.getOrDefault(result.server(), "-"));
                raised.put(result.server(), numbering.after(last) <= above ? above : last);
            }
        }
        return raised;
    }

    private void print(List<CheckResult> results, Map<String, String> before, Map<String, Long> now) {
        TextTable counters = new TextTable("SERVER", "COUNTER", "LAST ID BEFORE", "LAST ID NOW");
        for (CheckResult result : results) {
            if (result.what().equals("table") && before.containsKey(result.server())) {
                counters.add(
                        result.server(),
                        result.detail(),
                        String.valueOf(before.get(result.server())),
                        String.valueOf(now.get(result.server())));
            }
        }
        counters.print(out());
    }
}
