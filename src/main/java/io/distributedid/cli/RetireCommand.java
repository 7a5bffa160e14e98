package io.distributedid.cli;

import io.distributedid.DistributedIds;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the use of a sequence's counter for good. */
@Command(
        name = "retire",
        description = "End the use of a counter in Redis for good, because its sequence gets another key or other"
                + " servers. Clients with the old settings get no more ids. Run it with the old settings. All servers"
                + " must answer. It can't be undone. Tables move: distributedid move.",
        footer = {"", "Example:", "  distributedid retire photos --config old.properties"})
final class RetireCommand extends SequenceCommand {

    @Option(names = "--dry-run", description = "Print the last id of each server. Change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() {
        try (DistributedIds ids = options().read().readOnly().open()) {
            if (dryRun) {
                CounterReport.print(CounterReport.last(ids, sequence), out());
                out().println("Dry run: nothing was retired.");
                return 0;
            }
            Map<String, Long> last = ids.retire(sequence).lastIds();
            CounterReport.print(last, out());
            out().println("The counter of " + sequence
                    + " is retired. Raise the new one above these ids, with the new settings:");
            out().println("  distributedid adopt " + sequence + " --above " + CounterReport.highest(last)
                    + " --database URL");
            out().println("or, if no database remembers where the ids of " + sequence + " come from:");
            out().println("  distributedid raise " + sequence + " --above " + CounterReport.highest(last));
            return 0;
        }
    }
}
