package io.distributedid.cli;

import io.distributedid.DistributedIds;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Gives a sequence another layout or epoch. */
@Command(
        name = "change-layout",
        description = {
            "Give a sequence of Snowflake ids the layout and epoch of these settings.",
            "Stop all processes first: no worker number may be leased. All new ids must be larger than the old ones. If"
                    + " the clock still has to pass the old ids, the command waits. Safe to repeat."
        },
        footer = {"", "Example:", "  distributedid change-layout photos --config new.properties"})
final class ChangeLayoutCommand extends SequenceCommand {

    @Option(
            names = "--all-stopped",
            description = "State that all processes with a single-use number (snowflake.worker=single_use) are stopped."
                    + " The command can't see whether they run.")
    private boolean allStopped;

    @Override
    public Integer call() {
        try (DistributedIds ids = options().read().readOnly().open()) {
            out().println("The layout of " + sequence + " was: " + ids.admin().changeLayout(sequence, allStopped));
            out().println("Its layout is now that of these settings. Start the processes with them.");
            return 0;
        }
    }
}
