package io.distributedid.cli;

import io.distributedid.DistributedIds;
import picocli.CommandLine.Command;

/** Begins a store of leases. */
@Command(
        name = "init",
        description = {
            "Initialize the store in which the worker numbers of a sequence are leased, or change its windows.",
            "Needed once for each store whose table existed before the first process. For the windows of these settings"
                    + " (snowflake.lease.window, snowflake.lease.max_clock_skew), stop all processes first. A store"
                    + " that was emptied needs the longest window that it ever had, and waits until all leases that it"
                    + " may have forgotten have ended. Safe to repeat."
        },
        footer = {"", "Example:", "  distributedid init photos --config ids.properties"})
final class InitCommand extends SequenceCommand {

    @Override
    public Integer call() {
        try (DistributedIds ids = options().read().open()) {
            out().println("The store of leases of " + sequence + " is ready"
                    + ids.admin()
                            .init(sequence)
                            .map(time -> ". It leases from " + time + " on.")
                            .orElse("."));
            return 0;
        }
    }
}
