package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Checks sequences and their servers, and prints the results. */
@Command(
        name = "check",
        description = {
            "Check the settings, and every server of every sequence. Changes nothing.",
            "A server that does not answer counts as failed. With --table: if ids hold the time, the largest in the"
                    + " table must not be ahead of the clock."
        },
        footer = {"", "Example:", "  distributedid check --config ids.properties --seq photos"})
final class CheckCommand extends JsonCommand {

    @Option(
            names = "--seq",
            paramLabel = "SEQ",
            split = ",",
            description =
                    "A sequence to check, besides those with settings of their own (distributedid.seq.SEQ...). May be"
                            + " repeated.")
    private List<String> sequences = new ArrayList<>();

    @ArgGroup(exclusive = false)
    private @Nullable IdColumn column;

    @Override
    public Integer call() {
        CommandSettings settings = options().read().readOnly();
        Set<String> names = new TreeSet<>(sequences);
        if (column == null) {
            names.addAll(settings.settings().sequences());
        } else if (names.size() != 1) {
            throw new IdConfigurationException("A table must be checked for exactly one sequence: --table="
                    + column.table
                    + " --seq=" + String.join(",", names) + ". Name the sequence of its ids");
        }
        try (DistributedIds ids = settings.open()) {
            if (names.isEmpty()) {
                throw new IdConfigurationException("There is no sequence to check: the settings name none. Name those"
                        + " of the application: --seq photos --seq users");
            }
            Report report = new Report(options().secrets());
            names.forEach(name -> ids.admin().check(name).forEach(result -> report.add(name, result)));
            if (column != null) {
                String name = names.iterator().next();
                column.check(settings, ids, name).forEach(result -> report.add(name, result));
            }
            result(report.toString(), report.json());
            return report.exitCode();
        }
    }
}
