package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Takes ids, and prints them. */
@Command(
        name = "next",
        description =
                "Take ids of a sequence and print them, one on each line. They are used up, and so may be some more that"
                        + " were reserved with them.",
        footer = {"", "Example:", "  distributedid next photos --count 3 --config ids.properties --drivers lib"})
final class NextCommand implements Callable<Integer> {

    private final SettingsOptions options;

    private final PrintWriter out;

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    private String sequence = "";

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

    NextCommand(SettingsOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public Integer call() {
        if (count < 1) {
            throw new IdConfigurationException(
                    "One id or more must be asked for: --count=" + count + ", allowed: 1 or more");
        }
        try (Configuration configuration = options.read();
                DistributedIds ids =
                        ToolWorker.of(configuration, sequence, worker).open()) {
            for (long i = 0; i < count; i++) {
                out.println(shard == null ? ids.next(sequence) : ids.next(sequence, shard));
            }
            return 0;
        }
    }
}
