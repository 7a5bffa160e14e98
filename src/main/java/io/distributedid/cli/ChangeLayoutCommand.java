package io.distributedid.cli;

import io.distributedid.DistributedIds;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Gives a sequence another layout or epoch. */
@Command(
        name = "change-layout",
        description =
                "Give a sequence of Snowflake ids the layout and epoch of these settings. No worker number may be leased: stop all"
                        + " processes first. All new ids must be larger than the old ones. The command waits for about one and a half"
                        + " windows (snowflake.lease.window), and can be repeated after a failure.",
        footer = {"", "Example:", "  distributedid change-layout photos --config new.properties --drivers lib"})
final class ChangeLayoutCommand implements Callable<Integer> {

    private final SettingsOptions options;

    private final PrintWriter out;

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    private String sequence = "";

    @Option(
            names = "--all-stopped",
            description =
                    "State that all processes with a burnt number (snowflake.worker=burnt) are stopped. Their numbers do not show it.")
    private boolean allStopped;

    ChangeLayoutCommand(SettingsOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public Integer call() {
        try (Configuration configuration = options.read().readOnly();
                DistributedIds ids = configuration.open()) {
            out.println("The layout of " + sequence + " was: " + ids.changeLayout(sequence, allStopped));
            out.println("It is the one of these settings now. Start the processes with them.");
            return 0;
        }
    }
}
