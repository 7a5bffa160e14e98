package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RuleTables.NONE;

import io.distributedid.internal.counter.CounterRules.Known;
import io.distributedid.internal.counter.CounterRules.Omission;
import io.distributedid.internal.counter.CounterRules.Refusal;
import io.distributedid.internal.counter.CounterRules.Verdict;
import io.distributedid.internal.counter.RealignRules.Command;
import io.distributedid.internal.counter.RuleTables.Draw;
import io.distributedid.internal.counter.RuleTables.Drawn;
import io.distributedid.internal.counter.RuleTables.State;
import io.distributedid.internal.counter.RuleTables.Write;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Everything that can happen to a few servers, processes and commands, with the decisions made by {@link CounterRules}
 * and {@link RealignRules} themselves. Each step is one trip to one server: a read, a change of one row, a draw.
 * Between any two steps others go on, a {@link RulesFaults fault} happens, a process dies, a command is cut off and
 * repeated, or a sender gives up and its request arrives later, or never.
 *
 * <p>A violation is: an id that comes twice, other than those that {@link RulesFaults} excuses; an id from a list that
 * has ended; two lists that are open; a loss or a refusal for ever where nothing happened; a second raise after one
 * fault that was not needed; and that no process gets ids although all servers answer and the operator repeats his
 * commands and repairs.
 *
 * <p>Not modelled: several counters of a table, stale reads, names, limits of columns, {@code --lost}, merged counters.
 *
 * <p>The class is long because all of it is one list of what can happen next.
 */
final class RulesModel {

    static final int MAX_DISTANCE = 2;

    /** Refusals that end by themselves. */
    private static final Set<Refusal> WAITS =
            new HashSet<>(Arrays.asList(null, Refusal.SILENT, Refusal.NOT_ALL_ANSWER));

    final RulesScenario scenario;

    final CounterRules rules;

    private final RealignRules realign;

    private final RulesFaults faults;

    private final int sample;

    private int visited;

    /** @param sample of how many states one is asked whether ids come for ever; 0 if none is */
    RulesModel(RulesScenario scenario, Omission omission, int sample) {
        this.scenario = scenario;
        this.sample = sample;
        this.rules = new CounterRules(MAX_DISTANCE, scenario.tickets(), omission);
        this.realign = new RealignRules(rules);
        this.faults = new RulesFaults(scenario, omission);
    }

    Explorer.Result explore() {
        return new Explorer<>(this::next, RulesState::key).explore(scenario.start());
    }

    private Omission omission() {
        return rules.omission();
    }

    List<Step<RulesState>> next(RulesState state) {
        List<Step<RulesState>> steps = new ArrayList<>();
        for (int i = 0; i < state.actors.size(); i++) {
            Actor actor = state.actors.get(i);
            Step<RulesState> step = act(state, i);
            if (step != null) {
                steps.add(step);
            }
            if (actor.command >= 0) {
                cut(steps, state, i);
            } else {
                draws(steps, state, i);
                giveUp(steps, state, i);
            }
        }
        if (state.late != null) {
            steps.add(arrive(state));
        }
        faults.next(steps, state);
        String stuck = sample > 0 && visited++ % sample == 0 ? stuck(state) : null;
        if (stuck != null) {
            steps.add(new Step<>(() -> "Nothing else happens", state, stuck));
        }
        return steps;
    }

    List<Integer> servers(Actor actor) {
        return actor.command < 0
                ? scenario.lists().get(actor.list)
                : command(actor).servers();
    }

    private Command command(Actor actor) {
        return command(actor, 0);
    }

    private Command command(Actor actor, int place) {
        return scenario.command(actor.command, actor.id, actor.above, place);
    }

    private String name(RulesState state, int actor) {
        Actor who = state.actors.get(actor);
        return (char) ('A' + actor) + (who.command < 0 ? "" : " (" + scenario.name(who.command) + ")");
    }

    /** The one thing that a process or a command does next if it is not held up, or null. */
    Step<RulesState> act(RulesState state, int i) {
        Actor actor = state.actors.get(i);
        boolean isLeft = actor.phase == Phase.REFUSED || actor.phase == Phase.ENDED;
        if (!actor.writes.isEmpty()) {
            return write(state, i);
        }
        int all = (1 << servers(actor).size()) - 1;
        return isLeft || (actor.command < 0 && actor.at < 0 && actor.ready == all) ? null : read(state, i);
    }

    private Step<RulesState> read(RulesState state, int i) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        List<Integer> servers = servers(actor);
        if (scenario.atomicLooks() && actor.command < 0) {
            actor.seen = servers.stream()
                    .map(each -> scenario.answers(state, each) ? state.servers.get(each) : null)
                    .toList();
            String violation = decide(after, actor);
            return new Step<>(() -> name(state, i) + " looks" + decided(after.actors.get(i)), after, violation);
        }
        int place = Math.max(0, actor.at);
        int server = servers.get(place);
        RuleTables tables = scenario.answers(state, server) ? state.servers.get(server) : null;
        boolean isAgain = actor.seen.size() == servers.size();
        List<RuleTables> seen = new ArrayList<>(isAgain ? actor.again : actor.seen);
        if (isAgain) {
            seen.set(place, tables);
            actor.again = seen;
        } else {
            seen.add(tables);
            actor.seen = seen;
        }
        actor.at = place + 1;
        if (isAgain && tables == null) {
            actor.rest();
            return new Step<>(() -> name(state, i) + " gets no second answer from server " + server, after, null);
        }
        String violation = actor.seen.size() < servers.size()
                ? null
                : actor.command < 0 ? decide(after, actor) : decideCommand(after, actor);
        return new Step<>(
                () -> name(state, i) + " reads " + text(server, tables) + decided(after.actors.get(i)),
                after,
                violation);
    }

    private static String decided(Actor actor) {
        return actor.at >= 0 ? "" : actor.writes.isEmpty() ? ", ready=" + actor.ready : ", writes " + actor.writes;
    }

    private static String text(int server, RuleTables tables) {
        return "server " + server + ": " + tables;
    }

    private String decide(RulesState after, Actor actor) {
        List<RuleTables> seen = new ArrayList<>(actor.seen);
        for (int place = 0; place < actor.again.size(); place++) {
            if (actor.again.get(place) != null) {
                seen.set(place, actor.again.get(place));
            }
        }
        Verdict verdict = rules.plan(scenario.lists().get(actor.list), actor.seen, seen, actor.known, after.fresh++);
        for (int place : verdict.doubts()) {
            boolean isSecond = scenario.atomicLooks() || (!actor.again.isEmpty() && actor.again.get(place) != null);
            if (!isSecond && omission() != Omission.SECOND_READ) {
                actor.again = actor.again.isEmpty() ? Arrays.asList(new RuleTables[actor.seen.size()]) : actor.again;
                actor.at = place;
                return null;
            }
        }
        actor.rest();
        boolean isCalm = after.faults == scenario.faultBudget()
                && scenario.commands().isEmpty()
                && scenario.lists().size() == 1;
        if (isCalm && !verdict.losses().isEmpty()) {
            return "A false alarm: nothing is lost on " + verdict.losses();
        }
        actor.writes = verdict.writes();
        if (!actor.writes.isEmpty()) {
            return null;
        }
        if (isCalm && !WAITS.containsAll(verdict.refusals())) {
            return "A wrong refusal: " + verdict.refusals();
        }
        List<Integer> versions = new ArrayList<>(actor.known.versions());
        List<Integer> numbers = new ArrayList<>(actor.known.numbers());
        int token = actor.known.token();
        int era = actor.known.era();
        actor.ready = 0;
        for (int place = 0; place < seen.size(); place++) {
            if (verdict.refusals().get(place) == null) {
                RuleTables tables = seen.get(place);
                versions.set(place, tables.row().version());
                numbers.set(place, tables.row().number());
                token = tables.header().token();
                era = Math.max(era, tables.header().era());
                actor.ready |= 1 << place;
            }
        }
        if (actor.ready != 0 && scenario.remembered() && omission() != Omission.PLACE) {
            if (after.place == 0) {
                after.place = token;
            } else if (after.place != token) {
                actor.ready = 0;
                return null;
            }
        }
        actor.known = new Known(token, era, versions, numbers);
        return null;
    }

    private String decideCommand(RulesState after, Actor actor) {
        Command command = command(actor, scenario.remembered() ? after.place : 0);
        boolean begins = actor.phase == Phase.BEGINS;
        List<RuleTables> seen = actor.seen;
        Verdict verdict = begins
                ? realign.begin(command, seen, after.fresh++)
                : realign.go(command, actor.first, seen, after.fresh++);
        actor.rest();
        if (verdict.refusals().get(0) != null) {
            actor.phase = Phase.REFUSED;
            return null;
        }
        actor.writes = verdict.writes();
        if (begins) {
            actor.first = omission() == Omission.LOOK_AFTER_SEAL ? seen : List.of();
            if (actor.writes.isEmpty()) {
                actor.phase = Phase.ENDED;
            }
        } else if (actor.writes.stream().anyMatch(write -> write.header() != null)) {
            actor.phase = Phase.OPENS;
            after.place = actor.writes.stream()
                    .map(Write::header)
                    .filter(header -> header != null && header.state() == State.OPEN)
                    .findFirst()
                    .orElseThrow()
                    .token();
        }
        return null;
    }

    private Step<RulesState> write(RulesState state, int i) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        Write write = actor.writes.get(0);
        boolean done = apply(after, write);
        String violation = done ? opens(after, write, actor) : null;
        actor.writes = actor.writes.subList(1, actor.writes.size());
        if (actor.command >= 0) {
            afterWrite(after, actor, done);
        } else if (!done) {
            actor.rest();
        }
        return new Step<>(() -> name(state, i) + (done ? " writes " : " is refused ") + write, after, violation);
    }

    private void afterWrite(RulesState after, Actor actor, boolean done) {
        if (!done) {
            actor.rest();
            actor.phase = actor.phase == Phase.SEALS ? Phase.SEALS : Phase.REFUSED;
        } else if (actor.writes.isEmpty() && actor.phase == Phase.BEGINS) {
            actor.phase = Phase.SEALS;
        } else if (actor.writes.isEmpty() && actor.phase == Phase.OPENS) {
            actor.phase = Phase.ENDED;
        }
    }

    private boolean apply(RulesState after, Write write) {
        RuleTables tables = scenario.answers(after, write.server())
                ? after.servers.get(write.server()).after(write, omission())
                : null;
        if (tables == null) {
            return false;
        }
        if (write.loss() && write.expected() != 0) {
            boolean isAbove = after.servers.get(write.server()).row().number() >= after.highest();
            after.raises += after.raises == 0 || isAbove ? 1 : 0;
        }
        after.servers.set(write.server(), tables);
        return true;
    }

    /** @param who writes, null if he has given up */
    private String opens(RulesState after, Write write, Actor who) {
        if (after.raises > scenario.faultBudget() - after.faults && scenario.judgesRaises()) {
            return "Raised " + after.raises + " times";
        }
        if (write.header() == null || write.header().state() != State.OPEN) {
            return null;
        }
        int before = after.current;
        after.current = who != null && who.command < 0 ? who.list : scenario.listOf(write.header());
        boolean isFrom = who != null && who.command >= 0 && command(who).from() == before;
        boolean isOther = before >= 0
                && before != after.current
                && !isFrom
                && (who != null || write.header().command() == 0);
        return isOther ? "Two lists are open" : null;
    }

    private void draws(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        if (actor.at >= 0 || !actor.writes.isEmpty() || Long.bitCount(state.given) >= scenario.draws()) {
            return;
        }
        for (int place = 0; place < servers(actor).size(); place++) {
            if ((actor.ready & 1 << place) != 0) {
                steps.add(draw(state, i, place));
                if (state.late == null && state.mishaps > 0) {
                    Draw draw = draw(actor, place);
                    RulesState after = state.copy();
                    after.late = draw;
                    after.mishaps--;
                    after.change(i).ready &= ~(1 << place);
                    steps.add(new Step<>(() -> name(state, i) + " gives up " + draw, after, null));
                }
            }
        }
    }

    private Draw draw(Actor actor, int place) {
        List<Integer> servers = servers(actor);
        List<Integer> notes = new ArrayList<>(actor.known.numbers());
        notes.set(place, NONE);
        return new Draw(
                servers.get(place),
                actor.known.versions().get(place),
                servers.size(),
                place + 1,
                actor.known.numbers().get(place),
                actor.known.furthest() + CounterRules.FAR,
                notes);
    }

    Step<RulesState> draw(RulesState state, int i, int place) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        Draw draw = draw(actor, place);
        Drawn drawn = after.servers.get(draw.server()).draw(draw, scenario.tickets(), omission());
        after.servers.set(draw.server(), drawn.tables());
        int id = drawn.id();
        if (id == 0) {
            actor.ready &= ~(1 << place);
            return new Step<>(() -> name(state, i) + " is refused " + draw, after, null);
        }
        after.given |= 1L << id;
        List<Integer> numbers = new ArrayList<>(actor.known.numbers());
        numbers.set(place, id);
        actor.known = new Known(actor.known.token(), actor.known.era(), actor.known.versions(), numbers);
        boolean isTwice = (state.given & ~state.excused & 1L << id) != 0;
        String violation = isTwice
                ? "Id " + id + " was given twice"
                : isOpen(state, draw) ? null : "A list that has ended gives ids";
        return new Step<>(() -> name(state, i) + " draws " + id + " from server " + draw.server(), after, violation);
    }

    /** Whether the list that was opened last has the server at that place. */
    private boolean isOpen(RulesState state, Draw draw) {
        List<Integer> list = scenario.lists().get(state.current);
        return list.size() == draw.size() && list.get(draw.offset() - 1) == draw.server();
    }

    private void giveUp(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        if (!actor.writes.isEmpty() && state.late == null && state.mishaps > 0) {
            RulesState after = state.copy();
            after.late = actor.writes.get(0);
            after.mishaps--;
            after.change(i).rest();
            steps.add(new Step<>(() -> name(state, i) + " gives up " + actor.writes.get(0), after, null));
        }
        boolean isElsewhere = actor.ready == 0 && scenario.remembered() && actor.known.token() != state.place;
        boolean isFresh = actor.at < 0
                && actor.writes.isEmpty()
                && actor.known.versions().stream().allMatch(each -> each == 0);
        if (isElsewhere || (state.mishaps > 0 && !isFresh)) {
            RulesState after = state.copy();
            after.mishaps -= isElsewhere ? 0 : 1;
            after.actors.set(i, scenario.process(actor.list, state.place));
            steps.add(new Step<>(() -> name(state, i) + " dies, and starts again", after, null));
        }
    }

    private void cut(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        boolean isAtWork = actor.at >= 0 || !actor.writes.isEmpty() || actor.phase == Phase.REFUSED;
        if (!isAtWork || state.mishaps == 0) {
            return;
        }
        RulesState after = state.copy();
        after.mishaps--;
        after.actors.set(i, scenario.operator(actor.command, after.fresh++));
        steps.add(new Step<>(() -> name(state, i) + " is cut off, and begins again", after, null));
        if (!actor.writes.isEmpty() && state.late == null && state.mishaps > 0) {
            RulesState later = after.copy();
            later.late = actor.writes.get(0);
            steps.add(new Step<>(
                    () -> name(state, i) + " is cut off, begins again, and is late with " + later.late, later, null));
        }
    }

    private Step<RulesState> arrive(RulesState state) {
        RulesState after = state.copy();
        after.late = null;
        if (state.late instanceof Draw draw) {
            RuleTables tables = state.servers.get(draw.server());
            after.servers.set(
                    draw.server(),
                    tables.draw(draw, scenario.tickets(), omission()).tables());
            return new Step<>(() -> "Late arrives " + draw, after, null);
        }
        Write write = (Write) state.late;
        boolean done = apply(after, write);
        String violation = done ? opens(after, write, null) : null;
        return new Step<>(() -> "Late " + (done ? "arrives " : "is refused ") + write, after, violation);
    }

    // --- What must go on ---

    /**
     * Why no process gets an id although all servers answer and nothing else happens, after the operator has done what
     * the refusal says; null if one does.
     */
    String stuck(RulesState state) {
        RulesState world = faults.healed(state);
        String why = "";
        for (int attempt = 0; attempt < 2 + scenario.commands().size(); attempt++) {
            for (int list = 0; list < scenario.lists().size(); list++) {
                RulesState fresh = world.copy();
                fresh.actors = new ArrayList<>(List.of(scenario.process(list, world.place)));
                String refused = run(fresh, true);
                if (refused == null) {
                    return null;
                }
                why += " list " + list + ": " + refused;
            }
            int command = attempt < scenario.commands().size()
                    ? attempt
                    : scenario.lists().size() * -1;
            RulesState ordered = world.copy();
            Actor operator = attempt < scenario.commands().size()
                    ? scenario.operator(attempt, ordered.fresh++)
                    : scenario.repair(Math.max(0, world.current), ordered.fresh++);
            operator.above = Math.max(1, world.highest());
            ordered.actors = new ArrayList<>(List.of(operator));
            String refused = run(ordered, false);
            why += " command " + command + ": " + refused;
            world = last;
        }
        return "Refused for ever:" + why;
    }

    private RulesState last;

    /** Lets the only actor go on; null if it came to its end. */
    private String run(RulesState from, boolean isProcess) {
        RulesState now = from;
        for (int step = 0; step < 60; step++) {
            Actor actor = now.actors.get(0);
            if (actor.at < 0 && actor.writes.isEmpty() && actor.ready != 0) {
                Step<RulesState> drawn = draw(now, 0, Integer.numberOfTrailingZeros(actor.ready));
                if (drawn.violation() != null) {
                    return drawn.violation();
                }
                if (!Objects.equals(now.given, drawn.state().given)) {
                    return null;
                }
                now = drawn.state();
                continue;
            }
            Step<RulesState> next = act(now, 0);
            if (next == null) {
                break;
            }
            now = next.state();
        }
        last = now;
        Actor actor = now.actors.get(0);
        if (!isProcess && actor.phase == Phase.ENDED) {
            return null;
        }
        List<RuleTables> seen = servers(actor).stream().map(now.servers::get).toList();
        return isProcess
                ? rules.plan(servers(actor), seen, seen, actor.known, 1)
                        .refusals()
                        .toString()
                : actor.phase + " "
                        + IntStream.range(0, seen.size()).mapToObj(seen::get).toList();
    }
}
