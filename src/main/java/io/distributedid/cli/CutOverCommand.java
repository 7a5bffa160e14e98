package io.distributedid.cli;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Raises the counters of a sequence above the ids in a table of all shards. All servers must answer. */
@Command(
        name = "cut-over",
        description = "Raise the counters of a sequence above the ids in a table of all shards: for the move from"
                + " AUTO_INCREMENT. To be run while no process takes ids of the sequence and nobody inserts"
                + " rows. All shards and servers must answer. Ids that hold the time have no counter: the"
                + " largest is compared with the clock.",
        footer = {
            "",
            "The password of --shard-user is read from DISTRIBUTEDID_SHARD_PASSWORD in the environment, or from",
            "shard.password in the file of --config. Arguments can be read from a file: @FILE.",
            "",
            "Example:",
            "  distributedid cut-over photos --table photo --column id --shard jdbc:mysql://s1/app \\",
            "    --shard jdbc:mysql://s2/app --shard-user app --dry-run --config ids.properties"
        })
final class CutOverCommand extends SequenceCommand {

    @Mixin
    private ShardColumn column = new ShardColumn();

    @Option(
            names = "--dry-run",
            description = "Print the last id of each server, and how many lie below the table. Change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws Exception {
        CommandSettings settings = options().read().readOnly();
        try (DistributedIds ids = settings.open()) {
            CheckCommand.Report report = new CheckCommand.Report(options().secrets());
            List<CheckResult> results = ids.check(sequence);
            results.forEach(result -> report.add(sequence, result));
            if (report.hasFailed()) {
                return report.print(out());
            }
            ShardMaximum shards = column.maximum(settings);
            long largest = shards.largest(out());
            out().println();
            Optional<CheckResult> time = ids.checkAbove(sequence, largest);
            if (time.isPresent()) {
                return printTime(time.get(), shards.autoIncrement());
            }
            if (dryRun) {
                printLow(CounterReport.last(results), largest);
            } else {
                raise(ids, largest);
            }
            return printAutoIncrement(shards.autoIncrement());
        }
    }

    /** Returns the exit code. */
    private int printTime(CheckResult time, List<CheckResult> autoIncrement) {
        out().println("The ids of " + sequence + " hold the time: there is no counter to be raised.");
        CheckCommand.Report report = new CheckCommand.Report(options().secrets());
        report.add(sequence, time);
        autoIncrement.forEach(result -> report.add(sequence, result));
        return report.print(out());
    }

    private IdConfigurationException notCounted() {
        return new IdConfigurationException("Only a sequence that counts can be raised: SEQ=" + sequence
                + ", allowed: sequences of ticket servers or of a sequence table");
    }

    /** Does not open the sequence: that would claim its tables and create its counters. */
    private void printLow(Map<String, String> found, long largest) {
        if (found.isEmpty()) {
            throw notCounted();
        }
        Map<String, Long> last = new TreeMap<>();
        found.forEach((server, id) -> last.put(server, CounterReport.id(id)));
        CounterReport.print(last, last, out());
        long low = last.values().stream().filter(id -> id < largest).count();
        out().println("Dry run: nothing was raised. " + low + " of " + last.size() + " counters lie below " + largest
                + ".");
    }

    private void raise(DistributedIds ids, long largest) {
        Map<String, Long> before = new TreeMap<>(ids.counters(sequence).lastIds());
        if (before.isEmpty()) {
            throw notCounted();
        }
        ids.raiseAbove(sequence, largest);
        Map<String, Long> after = new TreeMap<>(ids.counters(sequence).lastIds());
        if (!after.keySet().equals(before.keySet())) {
            throw new IdUnavailableException("All servers must answer, so that none stays below: before="
                    + before.keySet() + " now=" + after.keySet() + ". Repeat the command");
        }
        CounterReport.print(before, after, out());
        out().println("All ids of " + sequence + " from now on lie above " + largest + ".");
    }

    /** Returns the exit code. The counters are already raised, so nothing is left to do after the ALTER TABLE. */
    private int printAutoIncrement(List<CheckResult> results) {
        if (results.isEmpty()) {
            return 0;
        }
        CheckCommand.Report report = new CheckCommand.Report(options().secrets());
        results.forEach(result -> report.add(sequence, result));
        out().println();
        return report.print(out());
    }
}
