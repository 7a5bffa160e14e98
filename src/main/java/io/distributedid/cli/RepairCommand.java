package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Repairs the servers of sequences, one sequence after the other. */
@Command(
        name = "repair",
        description = {
            "Make the servers of a sequence usable again after one lost its counter, or was replaced.",
            "Raises all counters above every id that any server knows of, and lowers none. Asks before it raises any."
                    + " All servers must answer. A store that has lost leases opens again on this server once all its"
                    + " leases have ended. Safe to repeat."
        },
        footer = {"", "Example:", "  distributedid repair photos --dry-run --config ids.properties"})
final class RepairCommand extends CounterCommand {

    @Parameters(
            paramLabel = "SEQ",
            arity = "1..*",
            description = "The sequence. If several share a ticket table, name one of them.")
    private List<String> sequences = new ArrayList<>();

    @Option(
            names = "--above",
            paramLabel = "ID",
            description = "The largest id in use on all shards. Needed if no other server knows which ids were issued,"
                    + " for example if a single server lost its counter.")
    private long above;

    @Override
    public Integer call() {
        try (DistributedIds ids = options().read().readOnly().open()) {
            for (String sequence : sequences) {
                repair(ids, sequence);
            }
            return 0;
        }
    }

    private void repair(DistributedIds ids, String sequence) {
        Report report = new Report(options().secrets());
        if (dryRun) {
            ids.admin().check(sequence).stream()
                    .filter(result -> result.status() == CheckResult.Status.FAILED)
                    .forEach(result -> report.add(sequence, result));
            out().println(report);
        }
        List<String> tokens = new ArrayList<>();
        Realigned done = realign(ids, sequence, Kind.REPAIR, List.of(), above, Set.of(), tokens::add);
        result(
                sequence,
                done.above(),
                done.found().lastIds(),
                text(sequence, done, tokens),
                dryRun ? report.json() : Map.of());
    }

    private String text(String sequence, Realigned done, List<String> tokens) {
        Map<String, Long> lastIds = done.found().lastIds();
        if (lastIds.isEmpty()) {
            return "The store of leases of " + sequence + " is repaired.";
        }
        String repaired = "The servers of " + sequence + " are in line: its ids go on above " + done.above() + ".";
        // Also after a start that made a new place, and was refused.
        boolean isNew =
                done.found().tokens().isEmpty() || lastIds.values().stream().allMatch(id -> id == 0);
        return !isNew || tokens.isEmpty()
                ? repaired
                : repaired + System.lineSeparator()
                        + "The counters were lost, or are new. If a database of the entities remembers another token"
                        + " than " + tokens.get(0) + ": distributedid move " + sequence + " --new-space --above "
                        + (above > 0 ? above : "ID") + " --database URL";
    }
}
