package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.Finding;
import io.distributedid.IdConfigurationException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings the servers of sequences into line, one sequence after the other. */
@Command(
        name = "repair",
        description =
                "Bring the servers of a sequence into line after one lost its counter, was replaced by an empty one, became another"
                        + " server, or was added to a list of ticket servers. All servers must answer. They are raised above every"
                        + " id that any of them knows of, never lowered. May be repeated.",
        footer = {"", "Example:", "  distributedid repair photos --dry-run --config ids.properties --drivers lib"})
final class RepairCommand implements Callable<Integer> {

    private final SettingsOptions options;

    private final PrintWriter out;

    @Parameters(
            paramLabel = "SEQ",
            arity = "1..*",
            description = "The sequence. Of several that share a ticket table one is enough.")
    private List<String> sequences = new ArrayList<>();

    @Option(
            names = "--above",
            paramLabel = "ID",
            description =
                    "The largest id in use, on all shards: for a single server that lost its counter, or one whose ids nobody"
                            + " else knows.")
    private long above;

    @Option(names = "--dry-run", description = "Say what is wrong, and change nothing.")
    private boolean dryRun;

    RepairCommand(SettingsOptions options, PrintWriter out) {
        this.options = options;
        this.out = out;
    }

    @Override
    public Integer call() {
        requireId(above);
        try (Configuration configuration = options.read().readOnly();
                DistributedIds ids = configuration.open()) {
            for (String sequence : sequences) {
                repair(ids, sequence);
            }
            return 0;
        }
    }

    /** Refuses what is no id, 0 apart: that is none. */
    static void requireId(long above) {
        if (above < 0) {
            throw new IdConfigurationException("Ids are positive: --above=" + above + ", allowed: 0 or more");
        }
    }

    private void repair(DistributedIds ids, String sequence) {
        List<Finding> findings = ids.check(sequence);
        Map<String, String> before = CounterReport.last(findings);
        if (dryRun) {
            CheckCommand.Report report = new CheckCommand.Report(options.secrets());
            findings.stream()
                    .filter(finding -> finding.result() == Finding.Result.FAILED)
                    .forEach(finding -> report.add(sequence, finding));
            report.print(out);
            CounterReport.print(before, before, out);
            out.println("Dry run: nothing was changed.");
            return;
        }
        Map<String, Long> now = ids.repair(sequence, above).lastIds();
        CounterReport.print(before, now, out);
        out.println("The servers of " + sequence + " are in line.");
    }
}
