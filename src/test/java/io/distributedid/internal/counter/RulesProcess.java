package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.Drawn.Outcome;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Late;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a process does in {@link RulesModel}: it decides by a look, draws, gives up, dies. */
record RulesProcess(RulesModel model) {

    private static final int MOST_IDS = Long.SIZE - 1;

    private RulesScenario scenario() {
        return model.scenario;
    }

    /** @return what is wrong, or null */
    @Nullable
    String decide(RulesState after, Actor actor) {
        List<Integer> servers = scenario().servers(actor);
        List<@Nullable Seen> first = model.planted.shown(actor.seen, servers);
        List<@Nullable Seen> seen = new ArrayList<>(actor.seen);
        for (int place = 0; place < actor.again.size(); place++) {
            if (actor.again.get(place) != null) {
                seen.set(place, actor.again.get(place));
            }
        }
        List<@Nullable Seen> now = model.planted.shown(seen, servers);
        Verdict verdict = model.rules.plan(
                COUNTER,
                model.planted == Planted.FIRST_SPEAKS ? now : first,
                now,
                actor.known,
                Minimum.NONE,
                after.fresh());
        for (int place : verdict.doubts()) {
            boolean isSecond = scenario().atomicLooks() || (!actor.again.isEmpty() && actor.again.get(place) != null);
            if (!isSecond && model.planted != Planted.SECOND_READ) {
                actor.again = actor.again.isEmpty() ? Arrays.asList(new Seen[actor.seen.size()]) : actor.again;
                actor.at = place;
                return null;
            }
        }
        actor.rest();
        boolean isCalm = after.faults == scenario().faultBudget()
                && scenario().commands().isEmpty()
                && scenario().lists().size() == 1;
        if (isCalm
                && verdict.writes().stream()
                        .anyMatch(write -> write.change() instanceof Write.ToRow to && to.isLoss())) {
            return "A false alarm: nothing is lost on " + verdict.writes();
        }
        actor.writes = model.planted.done(verdict.writes(), seen);
        if (!actor.writes.isEmpty()) {
            return null;
        }
        if (isCalm && !verdict.refusals().stream().allMatch(refusal -> refusal == null || refusal.isPassing())) {
            return "A wrong refusal: " + verdict.refusals();
        }
        learn(after, actor, seen, verdict);
        return null;
    }

    private void learn(RulesState after, Actor actor, List<@Nullable Seen> seen, Verdict verdict) {
        Known known = actor.known;
        actor.ready = 0;
        for (int place = 0; place < seen.size(); place++) {
            Seen tables = seen.get(place);
            if (verdict.refusals().get(place) == null && tables != null && tables.row() != null) {
                CounterRow row = tables.row();
                known = known.with(place, Objects.requireNonNull(tables.header()), row, row.number());
                actor.ready |= 1 << place;
            }
        }
        if (actor.ready != 0 && scenario().remembered() && model.planted != Planted.PLACE) {
            String place = scenario().place(after, actor.list);
            if (place.isEmpty()) {
                after.place = known.token();
            } else if (!place.equals(known.token())) {
                actor.ready = 0;
                return;
            }
        }
        actor.known = known;
    }

    void draws(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        if (actor.at >= 0
                || !actor.writes.isEmpty()
                || Long.bitCount(state.given) + Long.bitCount(state.givenApart)
                        >= scenario().draws()) {
            return;
        }
        for (int place = 0; place < scenario().servers(actor).size(); place++) {
            if ((actor.ready & 1 << place) != 0) {
                steps.add(draw(state, i, place));
                if (state.late == null && state.mishaps > 0) {
                    int server = scenario().servers(actor).get(place);
                    Draw draw = draw(actor, place);
                    RulesState after = state.copy();
                    after.late = new Late(server, scenario().numbering(actor, server), draw);
                    after.mishaps--;
                    after.change(i).ready &= ~(1 << place);
                    steps.add(new Step<>(() -> model.name(state, i) + " gives up " + draw, after, null));
                }
            }
        }
    }

    private Draw draw(Actor actor, int place) {
        Map<Long, Long> notes = new HashMap<>();
        actor.known.servers().forEach((each, known) -> {
            if (each != place) {
                notes.put(each + 1L, known.number());
            }
        });
        Known.OfServer known = actor.known.server(place).orElseThrow();
        return new Draw(COUNTER, 1, known.version(), known.number(), model.rules.furthest(actor.known), notes);
    }

    /** What the server does with a draw. */
    Drawn draw(RulesState after, int server, Numbering numbering, Draw draw) {
        MemoryTables before = after.servers.get(server);
        MemoryTables.Answer answer = before.draw(model.planted.asked(draw, before.row(COUNTER)), numbering);
        after.servers.set(server, model.planted.held(before, answer.tables(), null));
        return answer.drawn();
    }

    Step<RulesState> draw(RulesState state, int i, int place) {
        RulesState after = state.copy();
        Actor actor = after.change(i);
        int server = scenario().servers(actor).get(place);
        Draw draw = draw(actor, place);
        Numbering numbering = scenario().numbering(actor, server);
        Drawn drawn = draw(after, server, numbering, draw);
        if (drawn.outcome() != Outcome.GIVEN) {
            actor.ready &= ~(1 << place);
            return new Step<>(() -> model.name(state, i) + " is refused " + draw, after, null);
        }
        long id = Objects.requireNonNull(drawn.block()).first();
        if (id > MOST_IDS) {
            throw new IllegalStateException("The world is too large: id=" + id);
        }
        after.strangers &= ~(1 << server);
        boolean isApart = scenario().isApart(actor.list);
        after.given |= isApart ? 0 : 1L << id;
        after.givenApart |= isApart ? 1L << id : 0;
        actor.known = actor.known.drawn(place, draw.version(), id);
        long given = isApart ? state.givenApart : state.given & ~state.excused | merged(state, actor);
        boolean isOpen = isApart
                ? !scenario().merges() || state.end == Long.MAX_VALUE
                : isOpen(state, server, numbering)
                        && (id <= state.end || scenario().merges());
        String violation = (given & 1L << id) != 0
                ? "Id " + id + " was given twice"
                : !isOpen
                        ? "A list that has ended gives ids"
                        : isApart || id > state.least ? null : "An id does not lie above " + state.least;
        return new Step<>(() -> model.name(state, i) + " draws " + id + " from server " + server, after, violation);
    }

    /** The ids of the other list, once its entities get theirs from the same place. */
    private long merged(RulesState state, Actor actor) {
        boolean isMerged = scenario().merges() && state.placeApart.equals(actor.known.token());
        return isMerged ? state.givenApart : 0;
    }

    /** Whether the list that was opened last has the server at that place. */
    private boolean isOpen(RulesState state, int server, Numbering numbering) {
        List<Integer> list = scenario().lists().get(state.current);
        int place = list.indexOf(server);
        return place >= 0 && scenario().numbering(list, place).equals(numbering);
    }

    void giveUp(List<Step<RulesState>> steps, RulesState state, int i) {
        Actor actor = state.actors.get(i);
        if (!actor.writes.isEmpty() && state.late == null && state.mishaps > 0) {
            RulesState after = state.copy();
            after.late = model.late(actor, actor.writes.get(0));
            after.mishaps--;
            after.change(i).rest();
            steps.add(new Step<>(() -> model.name(state, i) + " gives up " + after.late, after, null));
        }
        boolean isElsewhere = actor.ready == 0
                && scenario().remembered()
                && !actor.known.token().equals(scenario().place(state, actor.list));
        boolean isFresh =
                actor.at < 0 && actor.writes.isEmpty() && actor.known.servers().isEmpty();
        if (isElsewhere || (state.mishaps > 0 && !isFresh)) {
            RulesState after = state.copy();
            after.mishaps -= isElsewhere ? 0 : 1;
            after.actors.set(i, scenario().process(actor.list, scenario().place(state, actor.list)));
            steps.add(new Step<>(() -> model.name(state, i) + " dies, and starts again", after, null));
        }
    }
}
