package io.distributedid.cli;

import static java.util.Objects.requireNonNull;

import io.distributedid.CheckResult;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Numbering;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

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
            "The password of --shard-user is read from DISTRIBUTEDID_SHARD_PASSWORD in the environment, or from",
            "shard.password in the file of --config. Arguments can be read from a file: @FILE.",
            "",
            "Examples:",
            "  distributedid raise photos --above 5000000 --dry-run --config ids.properties",
            "  distributedid raise photos --table photo --column id --shard jdbc:mysql://s1/app \\",
            "    --shard jdbc:mysql://s2/app --shard-user app --dry-run --config ids.properties"
        })
final class RaiseCommand extends SequenceCommand {

    private static final Pattern NUMBERING = Pattern.compile("increment=(\\d+) offset=(\\d+)");

    @ArgGroup(multiplicity = "1")
    private Ids above = new Ids();

    /** Above which ids. */
    static final class Ids {

        @Option(names = "--above", paramLabel = "ID", description = "An id, 1 or more.")
        private @Nullable Long id;

        @ArgGroup(exclusive = false)
        private @Nullable ShardColumn column;
    }

    @Option(
            names = "--dry-run",
            description = "Print from where to where each counter would be raised. Change nothing.")
    private boolean dryRun;

    @Override
    public Integer call() throws InterruptedException {
        if (above.id != null && above.id < 1) {
            throw new IdConfigurationException("Ids are positive: --above=" + above.id + ", allowed: 1 or more");
        }
        CommandSettings settings = options().read().readOnly();
        try (DistributedIds ids = settings.open()) {
            List<CheckResult> results = ids.check(sequence);
            CheckCommand.Report report = new CheckCommand.Report(options().secrets());
            results.stream()
                    .filter(result -> result.status() == CheckResult.Status.FAILED)
                    .forEach(result -> report.add(sequence, result));
            if (report.hasFailed()) {
                report.print(out());
                out().println("Nothing was raised. End what failed, and repeat the command.");
                return 1;
            }
            if (above.column == null) {
                raise(ids, results, requireNonNull(above.id));
                return 0;
            }
            ShardMaximum shards = above.column.maximum(settings);
            long largest = shards.largest(out());
            out().println();
            Optional<CheckResult> time = ids.checkAbove(sequence, largest);
            if (time.isEmpty()) {
                raise(ids, results, largest);
            } else {
                out().println("The ids of " + sequence + " hold the time: there is no counter to be raised.");
                report.add(sequence, time.get());
            }
            List<CheckResult> numbered = shards.autoIncrement();
            numbered.forEach(result -> report.add(sequence, result));
            return time.isEmpty() && numbered.isEmpty() ? 0 : report.print(out());
        }
    }

    private void raise(DistributedIds ids, List<CheckResult> results, long id) {
        Map<String, String> before = CounterReport.last(results);
        if (before.isEmpty()) {
            throw new IdConfigurationException("Only a sequence that counts can be raised: SEQ=" + sequence
                    + ", allowed: sequences of ticket servers, of a sequence table or of Redis");
        }
        print(results, before, dryRun ? raised(results, before, id) : raise(ids, before, id));
        out().println(
                        dryRun
                                ? "Dry run: nothing was raised."
                                : "All ids of " + sequence + " from now on lie above " + id + ".");
    }

    private Map<String, Long> raise(DistributedIds ids, Map<String, String> before, long id) {
        ids.raiseAbove(sequence, id);
        Map<String, Long> now = ids.counters(sequence).lastIds();
        if (!now.keySet().equals(before.keySet())) {
            throw new IdUnavailableException("All servers must answer, so that none stays below: before="
                    + before.keySet() + " now=" + now.keySet() + ". Repeat the command");
        }
        return now;
    }

    /** Where the counters would be after a raise. One whose next id lies above is left as it is. */
    private Map<String, Long> raised(List<CheckResult> results, Map<String, String> before, long id) {
        Map<String, Long> raised = new TreeMap<>();
        for (CheckResult result : results) {
            Matcher found = NUMBERING.matcher(result.detail());
            if (result.what().equals("numbering") && found.matches()) {
                Numbering numbering = new Numbering(Long.parseLong(found.group(1)), Long.parseLong(found.group(2)));
                if (id > Long.MAX_VALUE - 2 * numbering.increment()) {
                    throw new IdsExhaustedException("No ids are left above: --above=" + id + ", allowed: up to "
                            + (Long.MAX_VALUE - 2 * numbering.increment()));
                }
                long last = CounterReport.id(before.getOrDefault(result.server(), "-"));
                raised.put(result.server(), numbering.after(last) <= id ? id : last);
            }
        }
        return raised;
    }

    private void print(List<CheckResult> results, Map<String, String> before, Map<String, Long> now) {
        TextTable counters = new TextTable("SERVER", "COUNTER", "LAST ID BEFORE", "LAST ID NOW");
        for (CheckResult result : results) {
            if (result.what().equals("table") && before.containsKey(result.server())) {
                counters.add(
                        result.server(),
                        result.detail(),
                        String.valueOf(before.get(result.server())),
                        String.valueOf(now.get(result.server())));
            }
        }
        counters.print(out());
    }
}
