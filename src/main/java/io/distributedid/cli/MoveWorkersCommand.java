package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Ends the move of leased worker numbers to another place. */
@Command(
        name = "move-workers",
        description =
                "End the move of leased worker numbers to another table, server or store, once all applications run"
                        + " with snowflake.lease.moving_from: the old place leases no number any more, and"
                        + " applications without moving_from can be started. Waits for one and a half windows. To be"
                        + " run with the settings that the applications have, and to be repeated if it fails.",
        footer = {"", "Example:", "  distributedid move-workers photos --config new.properties"})
final class MoveWorkersCommand extends SequenceCommand {

    @Option(
            names = "--force",
            description = "Cut off applications that lease at the old place alone. Default: name them, and do nothing.")
    private boolean force;

    @Override
    public Integer call() {
        try (DistributedIds ids = options().read().readOnly().open()) {
            TextTable table = new TextTable("PLACE", "STORE", "STATE");
            for (CheckResult result : ids.finishMove(sequence, force)) {
                table.add(result.what(), result.server(), result.detail());
            }
            table.print(out());
            out().println("Applications without snowflake.lease.moving_from can be started.");
            return 0;
        }
    }
}
