package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Repairs the servers of sequences, one sequence after the other. */
@Command(
        name = "repair",
        description =
                "Make the servers of a sequence usable again after one lost its counter, or was replaced. Raises all of them above every id that any of them knows of, and"
                        + " lowers none. Asks before it raises any. All servers must answer. Safe to repeat.",
        footer = {"", "Example:", "  distributedid repair photos --dry-run --config ids.properties"})
final class RepairCommand extends IdCommand {

    @Parameters(
            paramLabel = "SEQ",
            arity = "1..*",
            description = "The sequence. If several share a ticket table, name one of them.")
    private List<String> sequences = new ArrayList<>();

    @Option(
            names = "--above",
            paramLabel = "ID",
            description = "The largest id in use on all shards. Needed if no other server knows which ids were given: a"
                    + " single server lost its counter, for example.")
    private long above;

    @Option(names = "--dry-run", description = "Print what is wrong. Change nothing.")
    private boolean dryRun;

    @Option(names = "--yes", description = "Raise counters without asking, in a script for example.")
    private boolean yes;

    @Override
    public Integer call() {
        requireId(above);
        try (DistributedIds ids = options().read().readOnly().open()) {
            for (String sequence : sequences) {
                repair(ids, sequence);
            }
            return 0;
        }
    }

    /** Accepts an id, or 0 for none. */
    static void requireId(long above) {
        if (above < 0) {
            throw new IdConfigurationException("Ids are positive: --above=" + above + ", allowed: 0 or more");
        }
    }

    private void repair(DistributedIds ids, String sequence) {
        List<CheckResult> results = ids.check(sequence);
        Map<String, String> before = CounterReport.last(results);
        if (dryRun) {
            CheckCommand.Report report = new CheckCommand.Report(options().secrets());
            results.stream()
                    .filter(result -> result.status() == CheckResult.Status.FAILED)
                    .forEach(result -> report.add(sequence, result));
            report.print(out());
            CounterReport.print(before, before, out());
            out().println("Dry run: nothing was changed.");
            return;
        }
        Map<String, Long> now = ids.repair(sequence, above, target -> confirm(sequence, before, target))
                .lastIds();
        CounterReport.print(before, now, out());
        if (CounterReport.tokens(results).isEmpty() || isEmpty(before)) {
            printPlace(ids, sequence);
        }
        out().println("The servers of " + sequence + " are in line.");
    }

    /** Throws unless the operator agrees, if counters will be raised: nothing lowers them again. */
    private void confirm(String sequence, Map<String, String> before, long target) {
        long last = before.values().stream().mapToLong(CounterReport::id).max().orElse(0);
        if (yes || target <= last) {
            return;
        }
        String jump = "This repair raises the counters of " + sequence + " from " + last + " to above " + target
                + " for good; the ids between are lost.";
        String answer = ask(jump + " Repair? (y/N) ")
                .orElseThrow(() -> new IdConfigurationException(
                        jump + " It was not done: there is no terminal to ask at. Run it at one, or add --yes"));
        if (!answer.strip().equalsIgnoreCase("y")) {
            throw new IdConfigurationException(
                    "Nothing was changed: SEQ=" + sequence + ", answer=" + answer.strip() + ", allowed: y to repair");
        }
    }

    /** So it is after a start, too, that made a new record and was refused. */
    private static boolean isEmpty(Map<String, String> counters) {
        return counters.values().stream().allMatch(last -> CounterReport.id(last) == 0);
    }

    /** The repair, or a start before it, gave the place another token. */
    private void printPlace(DistributedIds ids, String sequence) {
        for (String token : CounterReport.tokens(ids.check(sequence))) {
            out().println("The counters were lost, or are new. If a database of the entities remembers another token"
                    + " than " + token + ": distributedid move " + sequence + " --new-space --above "
                    + (above > 0 ? above : "ID") + " --database URL");
        }
    }
}
