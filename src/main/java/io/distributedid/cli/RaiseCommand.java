package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Raises the counter of a sequence on all servers. Looks at all of them first, and changes nothing if one is wrong. */
@Command(
        name = "raise",
        description = {
            "Raise the counter of a sequence on every server above an id, or above the ids in a table.",
            "For the move from AUTO_INCREMENT, while no process takes ids of the sequence and nobody inserts "
                    + "rows. Lowers none. All servers must answer and be in line, else nothing is changed. Running "
                    + "processes may still give lower ids that they have reserved. If ids hold the time, the largest in "
                    + "the table is compared with the clock."
        },
        footer = {
            "",
            "Examples:",
            "  distributedid raise photos --above 5000000 --dry-run --config ids.properties",
            "  distributedid raise photos --table photo --column id --database jdbc:mysql://s1/app \\",
            "    --database jdbc:mysql://s2/app --user app --dry-run --config ids.properties"
        })
final class RaiseCommand extends CounterCommand {

    @Parameters(paramLabel = "SEQ", description = "The sequence.")
    private String sequence = "";

    @ArgGroup(multiplicity = "1")
    private Ids ids = new Ids();

    /** Above which ids. */
    static final class Ids {

        @Option(names = "--above", paramLabel = "ID", description = "An id, 1 or more.")
        private long above = 1;

        @ArgGroup(exclusive = false)
        private @Nullable IdColumn column;
    }

    @Override
    public Integer call() {
        if (ids.above < 1) {
            throw new IdConfigurationException("Ids are positive: --above=" + ids.above + ", allowed: 1 or more");
        }
        CommandSettings settings = options().read().readOnly();
        IdColumn column = ids.column;
        try (DistributedIds opened = settings.open()) {
            if (column == null) {
                return raise(opened, ids.above);
            }
            long largest = column.largest(settings, out());
            Optional<CheckResult> time = opened.admin().checkAbove(sequence, largest);
            if (time.isEmpty() && raise(opened, largest) != 0) {
                return 1;
            }
            Report report = new Report(options().secrets());
            time.ifPresent(result -> report.add(sequence, result));
            for (CheckResult numbered : column.autoIncrement(settings)) {
                if (numbered.status() != Status.OK) {
                    report.add(sequence, numbered);
                }
            }
            if (time.isPresent()) {
                out().println("The ids of " + sequence + " hold the time: there is no counter to be raised.");
                result(report.toString(), report.json());
            } else if (!report.isEmpty()) {
                out().println(report);
            }
            return report.exitCode();
        }
    }

    /** Returns the exit code. */
    private int raise(DistributedIds opened, long id) {
        Report report = new Report(options().secrets());
        Map<String, Long> lastIds = new LinkedHashMap<>();
        for (CheckResult each : opened.admin().check(sequence, id)) {
            each.lastId().ifPresent(last -> lastIds.put(each.server(), last));
            if (each.lastId().isPresent() || each.status() == Status.FAILED) {
                report.add(sequence, each);
            }
        }
        if (report.isEmpty()) {
            throw new IdConfigurationException("Only a sequence that counts can be raised: SEQ=" + sequence
                    + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
        }
        out().println(report);
        if (report.exitCode() != 0) {
            out().println("Nothing was raised. End what failed, and repeat the command.");
            return 1;
        }
        agree(sequence, "Counters of " + sequence + " that lie below are raised to above " + id + " for good.");
        if (!dryRun) {
            opened.admin().raise(sequence, id);
        }
        result(sequence, id, lastIds, "All ids of " + sequence + " from now on lie above " + id + ".");
        return 0;
    }
}
