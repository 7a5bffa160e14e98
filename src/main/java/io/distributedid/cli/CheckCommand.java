package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.Secrets;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks sequences and their servers, and prints the results. */
@Command(
        name = "check",
        description =
                "Check the settings, and every server of every sequence, as an application does at its start; a server"
                        + " that does not answer counts as failed. Reserves no id, creates no table and raises no"
                        + " counter.",
        footer = {
            "",
            "With --table: if ids hold the time, the largest in the table must not lie ahead of the clock.",
            "",
            "Example:",
            "  distributedid check --config ids.properties --seq photos"
        })
final class CheckCommand extends IdCommand {

    @Option(
            names = "--seq",
            paramLabel = "SEQ",
            split = ",",
            description =
                    "A sequence to check, beside those with settings of their own (distributedid.seq.SEQ...). May be"
                            + " repeated.")
    private List<String> sequences = new ArrayList<>();

    @ArgGroup(exclusive = false)
    private @Nullable IdColumn column;

    @Override
    public Integer call() throws InterruptedException {
        CommandSettings settings = options().read().readOnly();
        Set<String> names = new TreeSet<>(sequences);
        if (column == null) {
            names.addAll(settings.sequences());
        } else if (names.size() != 1) {
            throw new IdConfigurationException("A table must be checked for exactly one sequence: --table="
                    + column.table
                    + " --seq=" + String.join(",", names) + ". Name the sequence that its ids are of");
        }
        try (DistributedIds ids = settings.open()) {
            if (names.isEmpty()) {
                throw new IdConfigurationException("There is no sequence to check: name those of the application, --seq"
                        + " photos --seq users; the settings name none");
            }
            Report report = new Report(options().secrets());
            names.forEach(name -> ids.admin().check(name).forEach(result -> report.add(name, result)));
            if (column != null) {
                String name = names.iterator().next();
                column.check(settings, ids, name).forEach(result -> report.add(name, result));
            }
            return report.print(out());
        }
    }

    /** Results as a table, with the number of each status. */
    static final class Report {

        private final TextTable table = new TextTable("SEQUENCE", "CHECK", "SERVER", "RESULT", "DETAIL");

        private final Map<CheckResult.Status, Integer> counts = new EnumMap<>(CheckResult.Status.class);

        private final Secrets secrets;

        Report(Secrets secrets) {
            this.secrets = secrets;
        }

        void add(String sequence, CheckResult result) {
            counts.merge(result.status(), 1, Integer::sum);
            table.add(
                    sequence,
                    result.what(),
                    result.server().isEmpty() ? "-" : result.server(),
                    result.status().name().toLowerCase(Locale.ROOT),
                    ErrorReport.withStart(secrets.masked(result.detail()), Main.class));
        }

        private int count(CheckResult.Status result) {
            return counts.getOrDefault(result, 0);
        }

        boolean isEmpty() {
            return counts.isEmpty();
        }

        boolean hasFailed() {
            return count(CheckResult.Status.FAILED) > 0;
        }

        /** Returns the exit code. */
        int print(PrintWriter out) {
            table.print(out);
            out.println(count(CheckResult.Status.OK) + " ok, " + count(CheckResult.Status.FAILED) + " failed, "
                    + count(CheckResult.Status.UNKNOWN) + " unknown");
            return hasFailed() ? 1 : 0;
        }
    }
}
