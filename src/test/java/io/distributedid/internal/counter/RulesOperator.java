package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.internal.counter.RulesState.Task;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a command does in {@link RulesModel}. */
record RulesOperator(RulesModel model) {

    private RealignRules rules() {
        return new RealignRules(model.rules);
    }

    /** @return null: it does no wrong by deciding */
    @Nullable
    String decide(RulesState after, Actor actor) {
        if (actor.phase == Phase.BEGINS && model.scenario.isAnew(actor)) {
            actor.above = Math.max(1, after.highest());
        }
        RealignCommand command = model.scenario.command(actor, place(after, actor));
        boolean begins = actor.phase == Phase.BEGINS;
        List<@Nullable Seen> read = actor.seen;
        if (read.stream().anyMatch(Objects::isNull)) {
            // All servers must answer.
            actor.rest();
            actor.phase = Phase.REFUSED;
            return null;
        }
        List<Seen> seen = answers(model.planted.shown(read, actor.first, command));
        RealignLook look = RealignLook.of(command, seen);
        Verdict verdict = begins ? rules().begin(look, after.fresh()) : rules().go(look, after.fresh());
        actor.rest();
        if (!verdict.doubts().isEmpty()) {
            seen = drawn(after, actor, seen, verdict);
            verdict = seen.isEmpty() ? verdict : rules().go(RealignLook.of(command, seen), after.fresh());
        }
        if (seen.isEmpty() || verdict.refusals().get(0) != null) {
            actor.phase = Phase.REFUSED;
            return null;
        }
        actor.writes = model.planted.done(RealignRules.joined(List.of(verdict)), read);
        if (begins) {
            boolean isNeeded = model.planted == Planted.LOOK_AFTER_SEAL || model.planted == Planted.SEAL;
            actor.first = isNeeded ? answers(read) : List.of();
            actor.phase = actor.writes.isEmpty() ? Phase.ENDED : actor.phase;
            next(after, actor);
        }
        if (model.scenario.isEnd(actor) && isHandingOver(actor)) {
            actor.phase = Phase.OPENS;
            actor.bound = rules().above(RealignLook.of(command, seen));
        }
        opened(actor.writes).findFirst().ifPresent(header -> {
            actor.phase = Phase.OPENS;
            remember(after, actor, header.token());
        });
        return null;
    }

    /** Of the tokens that databases remember, the one that the places of the command have; empty if none. */
    private String place(RulesState after, Actor actor) {
        if (!model.scenario.remembered() || isUnasked()) {
            return "";
        }
        if (!model.scenario.merges(actor)) {
            return after.place;
        }
        return Stream.of(after.place, after.placeApart)
                .filter(place -> actor.seen.stream()
                        .filter(Objects::nonNull)
                        .map(Seen::header)
                        .filter(Objects::nonNull)
                        .anyMatch(header ->
                                header.token().equals(place) || header.next().equals(place)))
                .findFirst()
                .orElse("");
    }

    private void remember(RulesState after, Actor actor, String token) {
        after.place = token;
        if (model.scenario.merges(actor)) {
            after.placeApart = token;
        }
    }

    /** A command that merges goes on. */
    private void next(RulesState after, Actor actor) {
        if (actor.phase == Phase.ENDED && actor.task == Task.END_OTHER) {
            actor.task = Task.REALIGN;
            actor.phase = Phase.BEGINS;
            actor.id = after.fresh();
            actor.first = List.of();
        }
    }

    private static List<Seen> answers(List<@Nullable Seen> seen) {
        return seen.stream().filter(Objects::nonNull).toList();
    }

    /** Whether all rows are sealed. */
    private static boolean isHandingOver(Actor actor) {
        return actor.phase == Phase.SEALS
                && !actor.writes.isEmpty()
                && actor.writes.stream().allMatch(write -> write.change() instanceof ToHeader);
    }

    private boolean isUnasked() {
        return model.planted == Planted.PLACE;
    }

    private static Stream<Header> opened(List<Write> writes) {
        return writes.stream()
                .flatMap(write -> write.change() instanceof ToHeader to ? Stream.of(to.header()) : Stream.empty())
                .filter(header -> header.state() == State.OPEN);
    }

    /** Draws one number from each ticket table of the old list; empty if one is missing. */
    private List<Seen> drawn(RulesState after, Actor actor, List<Seen> seen, Verdict verdict) {
        List<Seen> drawn = new ArrayList<>(seen);
        for (int place : verdict.doubts()) {
            int server = model.scenario.servers(actor).get(place);
            Numbering numbering = model.scenario.numbering(actor, server);
            MemoryTables before = after.servers.get(server);
            if (before.stored(COUNTER).counter().isEmpty()) {
                return List.of();
            }
            MemoryTables tables = before.drawnFrom(COUNTER, numbering);
            after.servers.set(server, tables);
            drawn.set(place, tables.look(COUNTER, numbering).drawn());
        }
        return drawn;
    }

    /** @return what is wrong, or null */
    @Nullable
    String afterWrite(RulesState after, Actor actor, boolean done) {
        if (!done) {
            actor.rest();
            actor.phase = actor.phase == Phase.SEALS ? Phase.SEALS : Phase.REFUSED;
        } else if (actor.writes.isEmpty() && actor.phase == Phase.BEGINS) {
            actor.phase = Phase.SEALS;
        } else if (actor.writes.isEmpty() && actor.phase == Phase.OPENS) {
            String violation = model.scenario.isEnd(actor) ? told(after, actor) : null;
            actor.bound = model.planted == Planted.MERGED ? 0 : actor.bound;
            actor.phase = Phase.ENDED;
            next(after, actor);
            return violation;
        }
        return null;
    }

    private static @Nullable String told(RulesState after, Actor actor) {
        long bound = actor.bound;
        after.end = bound;
        long known = actor.task == Task.END_OTHER ? after.givenApart : after.given & ~after.excused;
        return known == 0 || Long.SIZE - 1 - Long.numberOfLeadingZeros(known) <= bound
                ? null
                : "An id lies above what the end tells: " + bound;
    }

    void cut(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        boolean isAtWork = actor.at >= 0 || !actor.writes.isEmpty() || actor.phase == Phase.REFUSED;
        if (!isAtWork || state.mishaps == 0) {
            return;
        }
        RulesState after = state.copy();
        after.mishaps--;
        after.actors.set(i, model.scenario.operator(actor.command, after.fresh()));
        steps.add(new Step<>(() -> model.name(state, i) + " is cut off, and begins again", after, null));
        if (!actor.writes.isEmpty() && state.late == null) {
            RulesState later = after.copy();
            later.late = model.late(actor, actor.writes.get(0));
            steps.add(new Step<>(
                    () -> model.name(state, i) + " is cut off, begins again, and is late with " + later.late,
                    later,
                    null));
        }
    }
}
