package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What must go on in {@link RulesModel}. */
record RulesProgress(RulesModel model, RulesProcess process) {

    private static final int MOST_STEPS = 60;

    /**
     * @param state when it could do nothing more
     * @param why null if it came to its end
     */
    private record End(RulesState state, @Nullable String why) {}

    /**
     * Why no process gets an id although all servers answer and nothing else happens, after the operator has done what
     * the refusal says; null if one does. He gives a server up for good only if no process has learnt of it.
     */
    @Nullable
    String stuck(RulesState state) {
        RulesScenario scenario = model.scenario;
        RulesState world = model.faults.healed(state);
        StringBuilder why = new StringBuilder();
        int commands = scenario.commands().size();
        for (int attempt = 0; attempt < 3 + commands; attempt++) {
            for (int list = 0; list < scenario.lists().size(); list++) {
                if (scenario.isApart(list)) {
                    continue;
                }
                End end = run(world, scenario.process(list, world.place));
                if (end.why == null) {
                    return null;
                }
                why.append(" list ").append(list).append(": ").append(end.why);
            }
            Actor operator = attempt < commands
                    ? scenario.operator(attempt, world.fresh())
                    : scenario.repair(
                            Math.max(0, world.current), attempt > commands && world.strangers != 0, world.fresh());
            operator.above = Math.max(1, world.highest());
            End end = run(world, operator);
            why.append(scenario.name(operator)).append(": ").append(end.why);
            world = end.state;
        }
        return "Refused for ever:" + why;
    }

    /** Lets an actor go on alone. */
    private End run(RulesState from, Actor alone) {
        RulesState now = from.copy();
        now.actors = new ArrayList<>(List.of(alone));
        for (int step = 0; step < MOST_STEPS; step++) {
            Actor actor = now.actors.get(0);
            if (actor.at < 0 && actor.writes.isEmpty() && actor.ready != 0) {
                Step<RulesState> drawn = process.draw(now, 0, Integer.numberOfTrailingZeros(actor.ready));
                if (drawn.violation() != null || now.given != drawn.state().given) {
                    return new End(now, drawn.violation());
                }
                now = drawn.state();
                continue;
            }
            Step<RulesState> next = model.act(now, 0);
            if (next == null) {
                break;
            }
            now = next.state();
        }
        Actor actor = now.actors.get(0);
        return new End(now, actor.phase == Phase.ENDED ? null : why(now, actor));
    }

    private String why(RulesState now, Actor actor) {
        List<@Nullable Seen> seen = new ArrayList<>();
        for (int server : model.scenario.servers(actor)) {
            seen.add(now.servers.get(server).look(COUNTER, model.scenario.numbering(actor, server)));
        }
        return actor.command < 0
                ? model.rules
                        .plan(COUNTER, seen, seen, actor.known, Minimum.NONE, "1")
                        .refusals()
                        .toString()
                : actor.phase + " "
                        + IntStream.range(0, seen.size()).mapToObj(seen::get).toList();
    }
}
