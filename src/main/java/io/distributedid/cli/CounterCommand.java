package io.distributedid.cli;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.TreeMap;
import picocli.CommandLine.Option;

/** A command that changes counters: it looks at all servers, says what it would do, and asks. */
abstract class CounterCommand extends IdCommand {

    @Option(
            names = "--dry-run",
            description = "Look at all servers, and print what is wrong and what would be done. Change nothing.")
    boolean dryRun;

    @Option(names = "--yes", description = "Don't ask, in a script for example.")
    private boolean yes;

    /**
     * Repairs, moves or ends the counter of a sequence. Returns an id at or above all that were given; 0 from a dry
     * run, or if the place has no counter.
     */
    long realign(DistributedIds ids, String sequence, CounterMove move) {
        if (move.above() < 0) {
            throw new IdConfigurationException("Ids are positive: --above=" + move.above() + ", allowed: 0 or more");
        }
        long last = ids.admin().move(sequence, move);
        if (dryRun) {
            out().println("Dry run: nothing was changed.");
        }
        return last;
    }

    /** Says what was found and what will be done. Throws unless the operator agrees. */
    void confirm(String sequence, Kind kind, Jump jump) {
        TextTable counters = new TextTable("SERVER", "LAST ID");
        new TreeMap<>(jump.lastIds()).forEach((server, last) -> counters.add(server, last.toString()));
        counters.print(out());
        long last = jump.lastIds().values().stream().reduce(0L, Math::max);
        String what = switch (kind) {
            case REPAIR -> "";
            case PLACE -> "This move ends the old place: clients with its settings get no more ids. ";
            case END -> "The counter ends for good, with all others of its table. ";
            case LOST -> "All applications must be stopped: who still draws from the lost server gives the same ids. ";
            case NEW_SPACE -> "These servers count for themselves then: whoever used them before gets no more ids. ";
        };
        String jumps = kind == Kind.END || jump.above() <= last
                ? ""
                : "Counters of " + sequence + " may be raised from " + last + " to above " + jump.above()
                        + " for good; the ids between are lost.";
        agree(sequence, (what + jumps).strip());
    }

    /** Throws unless the operator agrees. Asks nothing if there is nothing to be said. */
    void agree(String sequence, String what) {
        if (what.isEmpty() || yes || dryRun) {
            out().print(what.isEmpty() ? "" : what + System.lineSeparator());
            return;
        }
        String answer = ask(what + " Go on? (y/N) ")
                .orElseThrow(() -> new IdConfigurationException(
                        what + " It was not done: there is no terminal to ask at. Run it at one, or add --yes"));
        if (!answer.strip().equalsIgnoreCase("y")) {
            throw new IdConfigurationException(
                    "Nothing was changed: SEQ=" + sequence + ", answer=" + answer.strip() + ", allowed: y to go on");
        }
    }
}
