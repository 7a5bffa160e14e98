package io.distributedid.cli;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import picocli.CommandLine.Option;

/** A command that changes counters: it looks at all servers, says what it would do, and asks. */
abstract class CounterCommand extends JsonCommand {

    static final String UNCHANGED = "Dry run: nothing was changed.";

    @Option(
            names = "--dry-run",
            description = "Look at all servers, and print what is wrong and what would be done. Change nothing.")
    boolean dryRun;

    @Option(names = "--yes", description = "Don't ask, for example in a script.")
    private boolean yes;

    /**
     * What a realignment found and did.
     *
     * @param above an id at or above all that were given; from a dry run, above what counters may be raised; 0 if the
     *     place has no counter
     */
    record Realigned(Jump found, long above) {}

    /** Repairs, moves or ends the counter of a sequence; see {@link CounterMove}. */
    Realigned realign(
            DistributedIds ids,
            String sequence,
            Kind kind,
            List<CommandSettings> from,
            long above,
            Set<String> tokens,
            Consumer<String> remember) {
        if (above < 0) {
            throw new IdConfigurationException("Ids are positive: --above=" + above + ", allowed: 0 or more");
        }
        AtomicReference<Jump> found = new AtomicReference<>(new Jump(Map.of(), Set.of(), 0));
        long last = ids.admin()
                .move(
                        sequence,
                        new CounterMove(
                                kind,
                                from.stream()
                                        .<Map<String, ?>>map(CommandSettings::values)
                                        .toList(),
                                above,
                                tokens,
                                dryRun,
                                jump -> {
                                    confirm(sequence, kind, jump);
                                    found.set(jump);
                                },
                                remember));
        return new Realigned(found.get(), dryRun ? found.get().above() : last);
    }

    /** Says what was found and what will be done. Throws unless the operator agrees. */
    private void confirm(String sequence, Kind kind, Jump jump) {
        TextTable counters = new TextTable("SERVER", "LAST ID");
        new TreeMap<>(jump.lastIds()).forEach((server, last) -> counters.add(server, last.toString()));
        out().println(counters);
        long last = jump.lastIds().values().stream().reduce(0L, Math::max);
        String what = switch (kind) {
            case REPAIR -> "";
            case PLACE ->
                "This move ends the old place for all sequences of its table: clients with its settings get no"
                        + " more ids. ";
            case END -> "The counter ends for good, with all others of its table. ";
            case LOST ->
                "All applications must be stopped: any that still draws from the lost server issues the same"
                        + " ids. ";
            case NEW_SPACE -> "These servers then count on their own: clients that used them before get no more ids. ";
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
                        what + " Nothing was done: there is no terminal to ask on. Run the command in a terminal, or"
                                + " add --yes"));
        if (!answer.strip().equalsIgnoreCase("y")) {
            throw new IdConfigurationException(
                    "Nothing was changed: SEQ=" + sequence + ", answer=" + answer.strip() + ", allowed: y to go on");
        }
    }

    /**
     * Prints what was done; after a dry run, that nothing was.
     *
     * @param above what new ids lie above, or would; 0 if there is no counter
     * @param lastIds what was found, by the server's address
     * @param more for JSON
     */
    void result(String sequence, long above, Map<String, Long> lastIds, String text, Map<String, ?> more) {
        Map<String, Object> json = json(sequence, !dryRun, above, lastIds);
        json.putAll(more);
        result(dryRun ? UNCHANGED : text, json);
    }

    static Map<String, Object> json(String sequence, boolean done, long above, Map<String, Long> lastIds) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("sequence", sequence);
        json.put("done", done);
        json.put("above", above);
        json.put("lastIds", new TreeMap<>(lastIds));
        return json;
    }
}
