package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.CheckResult.Status;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.JdbcUrl;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Raises the counter of a sequence on all servers. Looks at all of them first, and changes nothing if one is wrong. */
@Command(
        name = "raise",
        description = "Raise the counter of a sequence on every server, so that all ids from now on lie above an id, or"
                + " above those in a table of all shards: for the move from AUTO_INCREMENT, while no process takes ids"
                + " of the sequence and nobody inserts rows. Lowers none. Looks at every server first: all must answer"
                + " and be in line, else nothing is changed. Processes that run may still give lower ids that they have"
                + " reserved. Ids that hold the time have no counter: the largest in the table is compared with the"
                + " clock.",
        footer = {
            "",
            "Examples:",
            "  distributedid raise photos --above 5000000 --dry-run --config ids.properties",
            "  distributedid raise photos --table photo --column id --database jdbc:mysql://s1/app \\",
            "    --database jdbc:mysql://s2/app --database-user app --dry-run --config ids.properties"
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
    public Integer call() throws InterruptedException {
        if (ids.above < 1) {
            throw new IdConfigurationException("Ids are positive: --above=" + ids.above + ", allowed: 1 or more");
        }
        CommandSettings settings = options().read().readOnly();
        IdColumn column = ids.column;
        try (DistributedIds opened = settings.open()) {
            if (column == null) {
                return raise(opened, ids.above) ? 0 : 1;
            }
            long largest = column.largest(settings, out());
            Optional<CheckResult> time = opened.admin().checkAbove(sequence, largest);
            if (time.isEmpty() && !raise(opened, largest)) {
                return 1;
            }
            CheckCommand.Report report = new CheckCommand.Report(options().secrets());
            time.ifPresent(result -> {
                out().println("The ids of " + sequence + " hold the time: there is no counter to be raised.");
                report.add(sequence, result);
            });
            for (JdbcUrl database : column.databases(settings)) {
                CheckResult numbered = column.autoIncrement(database);
                if (numbered.status() != Status.OK) {
                    report.add(sequence, numbered);
                }
            }
            return report.isEmpty() ? 0 : report.print(out());
        }
    }

    /** Returns whether it was done. */
    private boolean raise(DistributedIds opened, long id) {
        List<CheckResult> results = opened.admin().check(sequence, id);
        CheckCommand.Report report = new CheckCommand.Report(options().secrets());
        results.stream()
                .filter(each -> each.what().equals("counter") || each.status() == Status.FAILED)
                .forEach(each -> report.add(sequence, each));
        if (!report.hasFailed()
                && results.stream().noneMatch(each -> each.what().equals("counter"))) {
            throw new IdConfigurationException("Only a sequence that counts can be raised: SEQ=" + sequence
                    + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
        }
        if (report.print(out()) != 0) {
            out().println("Nothing was raised. End what failed, and repeat the command.");
            return false;
        }
        agree(sequence, "Counters of " + sequence + " that lie below are raised to above " + id + " for good.");
        if (dryRun) {
            out().println("Dry run: nothing was raised.");
        } else {
            opened.admin().raise(sequence, id);
            out().println("All ids of " + sequence + " from now on lie above " + id + ".");
        }
        return true;
    }
}
