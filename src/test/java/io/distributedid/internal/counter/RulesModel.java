package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Late;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.counter.Write.ToRow;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to a few servers, processes and commands, with the decisions made by {@link CounterRules}
 * and {@link RealignRules} themselves. Each step is one trip to one server: a read, a change of one row, a draw.
 * Between any two steps others go on, a {@link RulesFaults fault} happens, a process dies, a command is cut off and
 * repeated, or a sender gives up and its request arrives later, or never.
 *
 * <p>A violation is: an id that comes twice, other than those that {@link RulesFaults} excuses; an id from a list that
 * has ended; an id of a merged place that one of the places before has given, too; an id of a place that began anew,
 * which does not lie above what the operator said; two lists that are open; a loss or a refusal for ever where nothing
 * happened; a second raise after one fault that was not needed; and that no process gets ids although all servers
 * answer and the operator repeats his commands and repairs.
 *
 * <p>Not modelled: several counters of a table, stale reads, names, limits of columns.
 */
final class RulesModel {

    static final int MAX_DISTANCE = 2;

    final RulesScenario scenario;

    final Planted planted;

    final CounterRules rules = new CounterRules(MAX_DISTANCE, Failover.RAISE);

    final RulesFaults faults;

    private final RulesProcess process;

    private final RulesOperator operator;

    private final RulesProgress progress;

    private final int sample;

    private int visited;

    /** @param sample of how many states one is asked whether ids come for ever; 0 if none is */
    RulesModel(RulesScenario scenario, Planted planted, int sample) {
        this.scenario = scenario;
        this.planted = planted;
        this.sample = sample;
        this.faults = new RulesFaults(scenario, planted);
        this.process = new RulesProcess(this);
        this.operator = new RulesOperator(this);
        this.progress = new RulesProgress(this, process);
    }

    Explorer.Result explore() {
        return new Explorer<>(this::next, (RulesState state) -> RulesKey.of(state, scenario.size()))
                .explore(scenario.start());
    }

    private List<Step<RulesState>> next(RulesState state) {
        List<Step<RulesState>> steps = new ArrayList<>();
        for (int i = 0; i < state.actors.size(); i++) {
            Step<RulesState> step = act(state, i);
            if (step != null) {
                steps.add(step);
            }
            if (state.actors.get(i).command >= 0) {
                operator.cut(steps, state, i);
            } else {
                process.draws(steps, state, i);
                process.giveUp(steps, state, i);
            }
        }
        if (state.late != null) {
            steps.add(arrive(state, state.late));
        }
        faults.next(steps, state);
        String stuck = sample > 0 && visited++ % sample == 0 ? progress.stuck(state) : null;
        if (stuck != null) {
            steps.add(new Step<>(() -> "Nothing else happens", state, stuck));
        }
        return steps;
    }

    String name(RulesState state, int actor) {
        return (char) ('A' + actor) + scenario.name(state.actors.get(actor));
    }

    /** The one thing that a process or a command does next if it is not held up, or null. */
    @Nullable
    Step<RulesState> act(RulesState state, int i) {
        Actor actor = state.actors.get(i);
        if (!actor.writes.isEmpty()) {
            return write(state, i);
        }
        boolean isLeft = actor.phase == Phase.REFUSED || actor.phase == Phase.ENDED;
        int all = (1 << scenario.servers(actor).size()) - 1;
        return isLeft || (actor.command < 0 && actor.at < 0 && actor.ready == all) ? null : read(state, i);
    }

    private @Nullable Seen look(RulesState state, Actor actor, int server) {
        return scenario.answers(state, server)
                ? state.servers.get(server).look(COUNTER, scenario.numbering(actor, server))
                : null;
    }

    private Step<RulesState> read(RulesState state, int i) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        List<Integer> servers = scenario.servers(actor);
        if (scenario.atomicLooks() && actor.command < 0) {
            actor.seen = new ArrayList<>();
            servers.forEach(server -> actor.seen.add(look(state, actor, server)));
            String violation = process.decide(after, actor);
            return new Step<>(() -> name(state, i) + " looks" + decided(actor), after, violation);
        }
        int place = Math.max(0, actor.at);
        int server = servers.get(place);
        Seen tables = look(state, actor, server);
        boolean isAgain = actor.seen.size() == servers.size();
        List<@Nullable Seen> seen = new ArrayList<>(isAgain ? actor.again : actor.seen);
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
                : actor.command < 0 ? process.decide(after, actor) : operator.decide(after, actor);
        return new Step<>(
                () -> name(state, i) + " reads server " + server + ": " + tables + decided(actor), after, violation);
    }

    private static String decided(Actor actor) {
        return actor.at >= 0 ? "" : actor.writes.isEmpty() ? ", ready=" + actor.ready : ", writes " + actor.writes;
    }

    private Step<RulesState> write(RulesState state, int i) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        Write write = actor.writes.get(0);
        Late request = late(actor, write);
        boolean done = apply(after, request);
        String violation = done ? opens(state, after, request, actor) : null;
        actor.writes = actor.writes.subList(1, actor.writes.size());
        if (actor.command >= 0) {
            String wrong = operator.afterWrite(after, actor, done);
            violation = violation == null ? wrong : violation;
        } else if (!done) {
            actor.rest();
        }
        return new Step<>(() -> name(state, i) + (done ? " writes " : " is refused ") + write, after, violation);
    }

    Late late(Actor actor, Write write) {
        int server = scenario.servers(actor).get(write.place());
        return new Late(server, scenario.numbering(actor, server), write);
    }

    private boolean apply(RulesState after, Late request) {
        Write write = (Write) request.request();
        MemoryTables before = after.servers.get(request.server());
        MemoryTables tables =
                scenario.answers(after, request.server()) ? before.after(write, request.numbering()) : null;
        if (tables == null) {
            return false;
        }
        ToRow to = write.change() instanceof ToRow row ? row : null;
        CounterRow row = before.row(COUNTER);
        if (to != null && to.isLoss() && row != null) {
            after.raises += after.raises == 0 || row.number() >= after.highest() ? 1 : 0;
        }
        after.servers.set(request.server(), planted.held(before, tables, to == null ? null : to.row()));
        return true;
    }

    /** @param who writes, null if he has given up */
    private @Nullable String opens(RulesState state, RulesState after, Late request, @Nullable Actor who) {
        if (after.raises > scenario.faultBudget() - after.faults && scenario.judgesRaises()) {
            return "Raised " + after.raises + " times";
        }
        Header held = state.servers.get(request.server()).header(COUNTER);
        boolean isOpen = held != null && held.state() == State.OPEN;
        if (!(((Write) request.request()).change() instanceof ToHeader to)
                || to.header().state() != State.OPEN
                || isOpen) {
            return null;
        }
        if (scenario.opensFirst() && to.header().command().isEmpty()) {
            // The database of its entities refuses the process.
            return null;
        }
        if (who != null && who.command >= 0 && scenario.isAnew(who)) {
            after.least = who.above;
        }
        int before = after.current;
        after.current = who != null && who.command < 0 ? who.list : scenario.listOf(to.header());
        boolean isFrom = who != null && scenario.isFrom(who, before);
        boolean isOther = before >= 0
                && before != after.current
                && !isFrom
                && (who != null || to.header().command().isEmpty());
        return isOther ? "Two lists are open" : null;
    }

    private Step<RulesState> arrive(RulesState state, Late late) {
        RulesState after = state.copy();
        after.late = null;
        if (late.request() instanceof Draw draw) {
            process.draw(after, late.server(), late.numbering(), draw);
            return new Step<>(() -> "Late arrives " + late, after, null);
        }
        boolean done = apply(after, late);
        String violation = done ? opens(state, after, late, null) : null;
        return new Step<>(() -> "Late " + (done ? "arrives " : "is refused ") + late, after, violation);
    }
}
