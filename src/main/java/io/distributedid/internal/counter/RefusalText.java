package io.distributedid.internal.counter;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.counter.Alignment.Outcome;
import io.distributedid.internal.failover.ServerFailures;
import io.distributedid.internal.process.Pages;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Makes texts of what the rules decide: what is wrong, what is allowed, and what to do.
 *
 * @param labels of the servers, by place
 */
record RefusalText(List<String> labels, CounterRules rules) {

    /** What to do in development, where nobody needs the ids any more. */
    private static final String RESET = ". For disposable data only: drop the counters, their ledger (the table"
            + " distributedid; in Redis, a hash), and all tables of the entities' database, including distributedid";

    RefusalText {
        labels = List.copyOf(labels);
    }

    /** Why a server is not used for a counter, or a command not carried out. */
    String of(CounterKey counter, Refusal refusal) {
        return text(counter, refusal) + Pages.onCall("counter", refusal.kind());
    }

    private String text(CounterKey counter, Refusal refusal) {
        String where = counter + " on " + labels.get(refusal.place());
        String seen = refusal.seen();
        String expected = refusal.expected();
        return switch (refusal.kind()) {
            case SILENT -> "A server does not answer: " + where;
            case NOT_ALL_ANSWER ->
                "All servers must answer a client that uses a counter for the first time: " + where
                        + ". Another client may be opening it now. Repeat the call";
            case NUMBERING ->
                "Clients must number the servers alike: " + where + " is used with " + expected
                        + ", but this client has " + seen
                        + ". List the same servers in the same order and with the same numbering in all applications,"
                        + " and no database twice; if my.cnf numbers the servers, restore it; or move the counters to"
                        + " the new list: " + moveHere(counter);
            case OVERLAP ->
                "Two servers would give the same ids: " + where + " has " + seen + ", and another has " + expected
                        + ". In my.cnf, give all servers the same auto_increment_increment, at least the number of"
                        + " servers, and each its own auto_increment_offset; restart the servers, then the"
                        + " applications. Or set distributedid.ticket.numbering=client in all applications. List no"
                        + " server twice";
            case REMAINDER ->
                "A counter has an id that its server never gives: " + where + " id=" + seen + ", " + expected
                        + ". The id comes from another numbering, or from a client that draws one id at a time and"
                        + " ignores the numbering. Stop that client; list the servers in their old order; or raise all"
                        + " counters above the id: "
                        + repair(counter);
            case SAME ->
                "The servers of a list must have different identities: " + where + " has identity=" + seen
                        + ", which occurs more than once in "
                        + expected + ". Give each MariaDB server its own server_id, by SET GLOBAL server_id and in"
                        + " my.cnf, and restart the applications. List no server twice";
            case MEMBERS ->
                "The counters belong to another list of servers: " + where + " belongs to " + expected
                        + ", but this client lists " + seen + ". List the same servers in all applications; or move the"
                        + " counters to the new list: " + moveHere(counter) + lost(counter) + RESET;
            case TOKEN ->
                "The servers must belong to one id space: " + where + " has token=" + seen
                        + ", but this client, a database of the entities, or a server before it in the list, has token="
                        + expected + ". Does a DataSource or an address lead to another server now? Correct it, and"
                        + " restart this client; or list the servers that belong together. A move takes one --from for"
                        + " the place of each database. If an earlier move ended that place, and left its database"
                        + " out: " + anew(counter) + RESET;
            case CLOSED ->
                "An operator's command has closed the counters, and has not reopened them: " + where + " command="
                        + seen + ". If the command is no longer running, repeat it: " + repair(counter) + ", or "
                        + moveHere(counter)
                        + lost(counter);
            case MOVED ->
                seen.isEmpty()
                        ? "The counters have ended, by move --end, a merge, or a move to another backend: " + where
                                + ". If they continue elsewhere, set that place; if not, to count here again for good: "
                                + anew(counter)
                        : "The counters were moved away: " + where + " target=" + seen + " token=" + expected
                                + ". List the servers, and set the table or key, that hold them now" + lost(counter);
            case LEFT_BEHIND ->
                "A move or a repair has left a server behind: " + where + " has era=" + seen
                        + ", another server has era=" + expected
                        + ". If the command was cut off, repeat it; if the server was down, repair it: "
                        + repair(counter)
                        + "; else list the servers that hold the counters now";
            case HEADER_LOST ->
                "A server has lost its counters, or another has taken its place: " + where
                        + " has no header in its ledger. " + stopAndRepair(counter)
                        + "; if no server has a header, add --above ID, the largest id in use; if the server is new in"
                        + " the list: " + moveHere(counter) + lost(counter) + RESET;
            case LOST_ALONE ->
                "A counter went back and may give ids again: " + where + " id=" + seen + " now, but ids up to "
                        + expected + " may be in use. No other server answers that knows the right value. Raise the"
                        + " counter above every id in use: " + repair(counter) + " --above ID" + RESET;
            case TOO_FAR ->
                "A counter is so far ahead of all known ids that it must be wrong: " + where + " id=" + seen
                        + ", allowed: up to " + expected + " (1000 x distributedid.max_distance=" + rules.maxDistance()
                        + " above). If its ids are in use, raise the others above them: " + repair(counter)
                        + " --above " + seen + "; if none of them is in use, give the sequence another table on all"
                        + " servers";
            case USED ->
                "An empty server is listed beside one that gave ids: " + where
                        + ". Listing servers does not divide a counter that is in use. To divide it, start one client"
                        + " with the old list once, which takes over the counter, and run: "
                        + moveHere(counter)
                        + "; if the list is not new, or the empty server is a replacement: " + repair(counter)
                        + " --above ID, the largest id in use";
            case REPLACED ->
                "A server was replaced, and may lack the last ids: " + where + " " + isOther(seen, expected)
                        + ", distributedid.failover=refuse. " + stopAndRepair(counter);
            case EXISTING ->
                "A counter would give ids that exist: " + where + " id=" + seen + ", but there is an id " + expected
                        + " already. Set distributedid.existing_ids=raise, or raise the counter: distributedid raise "
                        + counter.sequence() + " --above " + expected
                        + ". If the counter was lost or set back, clients may hold larger ids in memory: "
                        + repair(counter) + " --above "
                        + expected;
            case NO_ROOM ->
                "A counter can't be raised that far: " + where + " above id=" + seen + ", allowed: up to " + expected
                        + ". Give the column id a wider type, or the sequence another table";
            case NOT_LOST ->
                "All servers of the list have their counters: " + where + ". " + stopAndRepair(counter)
                        + "; if a database of the entities was left out of the move: " + anew(counter);
            case TARGET ->
                "The target is in use, or a command has closed it for another target: " + where + " target=" + seen
                        + ", this command has target=" + expected
                        + ". Finish that command by repeating it; or choose an unused table or key" + lost(counter);
            case BEATEN ->
                "Another command or client was faster: " + where + (seen.isEmpty() ? "" : " command=" + seen)
                        + ". Repeat the command";
        };
    }

    private static String repair(CounterKey counter) {
        return "distributedid repair " + counter.sequence();
    }

    private static String move(CounterKey counter) {
        return "distributedid move " + counter.sequence();
    }

    private static String moveHere(CounterKey counter) {
        return move(counter) + " --from OLD.properties";
    }

    private static String lost(CounterKey counter) {
        return "; if a server of the list is lost for good: " + move(counter) + " --lost --above ID";
    }

    /** Each database must learn the new token, also one that knows the present one. */
    private static String anew(CounterKey counter) {
        return move(counter) + " --new-space --above <largest id in use>, with --database URL for"
                + " each database of the entities";
    }

    private static String stopAndRepair(CounterKey counter) {
        return "To fix this, stop the clients and run: " + repair(counter);
    }

    private static String isOther(String identity, String before) {
        return "is not the same server as before (a promoted replica, a restored copy?): identity=" + identity
                + " instead of " + before;
    }

    /** What a write does with a counter; empty if that needs no mention. */
    String made(Write write, Seen before, Minimum minimum) {
        if (!(write.change() instanceof Write.ToRow to)) {
            return "";
        }
        CounterRow row = before.row();
        String where = to.counter() + " on " + labels.get(write.place()) + " ";
        if (row != null && CounterRules.isOther(before)) {
            return where + isOther(before.identity(), row.identity()) + raised(to.above());
        }
        if (to.isLoss()) {
            return where + "went back (truncated, restored from a backup, a deleted row?)" + raised(to.above());
        }
        if (row == null || to.above().isEmpty()) {
            return "";
        }
        return to.isRaisedTo(minimum)
                ? where + "was raised from id=" + last(before) + " to above id="
                        + to.above().getAsLong()
                : where + "was more than " + rules.maxDistance() + " behind the others" + raised(to.above());
    }

    private static String raised(OptionalLong above) {
        return above.isPresent() ? "; it was raised above " + above.getAsLong() : "; it was accepted as it is";
    }

    /** How far a counter is. */
    static long last(Seen seen) {
        CounterRow row = seen.row();
        long number = row == null ? 0 : row.number();
        return seen.isBlind() ? number : Math.max(number, seen.counter().orElse(0));
    }

    static IdsExhaustedException exhausted(CounterKey counter, String label) {
        return new IdsExhaustedException("The counter is at the end of its column: " + counter + " on " + label
                + ". Give the sequence another table, or the column id a wider type" + Pages.onCall("counter-no-room"));
    }

    /**
     * Why a counter can't be opened or raised; empty if it can. A server that does not answer is missed only if all
     * must answer.
     *
     * @param outcome null if others have held it up for too long
     * @param isForAll whether all servers had to answer
     */
    Optional<DistributedIdException> refused(CounterKey counter, @Nullable Outcome outcome, boolean isForAll) {
        if (outcome == null) {
            return Optional.of(new IdUnavailableException(
                    "Another client or thread keeps changing the counter: " + counter + Pages.onCall("locked")));
        }
        List<Refusal> refusals =
                outcome.refusals().stream().filter(Objects::nonNull).toList();
        Optional<IdConfigurationException> unusable = Stream.concat(
                        refusals.stream()
                                .filter(each -> !each.isPassing())
                                .map(each -> new IdConfigurationException(of(counter, each))),
                        outcome.failures().values().stream()
                                .filter(IdConfigurationException.class::isInstance)
                                .map(IdConfigurationException.class::cast))
                .findFirst();
        if (unusable.isPresent() || refusals.isEmpty() || (!isForAll && refusals.size() < labels.size())) {
            return unusable.map(Function.identity());
        }
        ServerFailures failures = new ServerFailures();
        outcome.failures().forEach((place, failure) -> failures.add(labels.get(place), failure));
        boolean isFirstUse = refusals.stream().anyMatch(Refusal::isFirstUse);
        String what = isFirstUse
                ? "All servers must answer a client that uses a counter for the first time: " + counter
                        + ", no answer from " + silent(refusals)
                : isForAll
                        ? "All servers must answer, so that no counter stays behind: " + counter
                        : "No server gives ids";
        String advice = isForAll && !isFirstUse ? ". Repeat the call when they do" : "";
        String row = isForAll || isFirstUse ? Pages.onCall("counter-not-all-answer") : Pages.onCall("no-server");
        return Optional.of(
                failures.isEmpty() ? new IdUnavailableException(what + row) : failures.toException(what, advice + row));
    }

    /** If all answer, another client has begun, and did not end yet. */
    private List<String> silent(List<Refusal> refusals) {
        List<Refusal> silent =
                refusals.stream().filter(each -> !each.isFirstUse()).toList();
        return (silent.isEmpty() ? refusals : silent)
                .stream().map(each -> labels.get(each.place())).toList();
    }
}
