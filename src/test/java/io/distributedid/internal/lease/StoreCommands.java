package io.distributedid.internal.lease;

import io.distributedid.internal.lease.StoreCommand.Make;
import io.distributedid.internal.lease.StoreScenario.Command;
import io.distributedid.internal.lease.StoreScenario.Kind;
import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.lease.StoreState.Write;
import io.distributedid.internal.ledger.Page;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** What a command does in {@link StoreModel}. */
record StoreCommands(StoreModel model) {

    /** Of the scenario, or of those that {@link StoreProgress} adds. */
    Command command(Actor actor) {
        List<Command> commands = model.scenario.commands();
        return actor.command < commands.size()
                ? commands.get(actor.command)
                : StoreProgress.MORE.get(actor.command - commands.size());
    }

    Step<StoreState> look(StoreState state, int i) {
        StoreState after = state.copy();
        Actor actor = after.change(i);
        Command command = command(actor);
        if (command.kind() == Kind.MOVE && actor.first == null) {
            actor.first = page(state, command.target());
            return new Step<>(
                    () -> model.name(state, i) + " reads " + StoreScenario.name(command.target()), after, null);
        }
        Page page = page(state, command.place());
        StoreCommand.Step step = step(after, actor, command, page);
        actor.rest();
        if (step instanceof Make make) {
            actor.writes = Stream.concat(
                            make.source().stream().map(change -> new Write(command.place(), change)),
                            make.target().stream().map(change -> new Write(command.target(), change)))
                    .toList();
        } else {
            actor.isEnded = true;
        }
        return new Step<>(() -> model.name(state, i) + " looks: " + step, after, null);
    }

    private static Page page(StoreState state, int place) {
        return new Page(state.stores.get(place), state.time());
    }

    private StoreCommand.Step step(StoreState after, Actor actor, Command command, Page read) {
        StoreCommand rules = new StoreCommand(actor.id, "");
        Page page = model.planted.command(read, actor.id);
        String server = after.servers.get(command.place());
        return switch (command.kind()) {
            case INIT ->
                model.planted.begun(rules.init(
                        page,
                        server,
                        new StoreHeader.Terms(command.window() * StoreState.TICK, model.scenario.skew()),
                        true,
                        after.fresh()));
            case REPAIR -> rules.repair(page, server, after.fresh());
            case MOVE -> {
                Page target = Objects.requireNonNull(actor.first);
                yield rules.move(
                        model.planted.source(page, target),
                        server,
                        model.planted.target(target, actor.id),
                        StoreScenario.name(command.target()),
                        after.servers.get(command.target()),
                        StoreScenario.name(command.place()),
                        after.fresh());
            }
        };
    }

    void hear(Actor actor, boolean done) {
        if (!done || actor.writes.isEmpty()) {
            actor.rest();
        }
    }

    void cut(List<Step<StoreState>> steps, StoreState state, int i) {
        Actor actor = state.actors.get(i);
        boolean isAtWork = actor.isEnded || actor.first != null || !actor.writes.isEmpty();
        if (!isAtWork || state.mishaps == 0) {
            return;
        }
        StoreState after = state.copy();
        after.mishaps--;
        after.actors.set(i, StoreScenario.operator(actor.command, after.fresh()));
        steps.add(new Step<>(
                () -> model.name(state, i) + (actor.isEnded ? " is run again" : " is cut off, and begins again"),
                after,
                null));
        if (!actor.writes.isEmpty()) {
            StoreState later = after.copy();
            later.late = new ArrayList<>(state.late);
            later.late.add(actor.writes.get(0));
            steps.add(new Step<>(() -> model.name(state, i) + " is cut off, begins again, and is late", later, null));
        }
    }

    /** Whether the operator has begun a second store. */
    boolean isSaid(StoreState state) {
        return state.actors.stream()
                .anyMatch(actor -> actor.command >= 0
                        && command(actor).kind() == Kind.INIT
                        && command(actor).place() == 1);
    }
}
