package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Takes ids and prints them. */
@Command(
        name = "next",
        description = {
            "Take ids of a sequence and print them, one on each line.",
            "They are used up, and so may be some more that were reserved with them."
        },
        footer = {"", "Example:", "  distributedid next photos --count 3 --config ids.properties"})
final class NextCommand extends SequenceCommand {

    @Option(names = "--count", paramLabel = "N", description = "How many, 1 or more. Default: 1.")
    private long count = 1;

    @Option(names = "--shard", paramLabel = "N", description = "Where the rows lie, for sequences with shard.from.")
    private @Nullable Long shard;

    @Option(
            names = "--worker",
            paramLabel = "N",
            description =
                    "The worker number of this command, where the settings give the application a fixed one: a number"
                            + " that no application has, and no other command at the same time.")
    private @Nullable Long worker;

    @Override
    public Integer call() {
        if (count < 1) {
            throw new IdConfigurationException(
                    "One id or more must be asked for: --count=" + count + ", allowed: 1 or more");
        }
        try (DistributedIds ids =
                ToolWorker.of(options().read(), sequence, worker).open()) {
            for (long i = 0; i < count; i++) {
                out().println(shard == null ? ids.next(sequence) : ids.nextOnShard(sequence, shard));
            }
            return 0;
        }
    }
}
