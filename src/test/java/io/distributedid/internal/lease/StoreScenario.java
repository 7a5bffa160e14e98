package io.distributedid.internal.lease;

import static io.distributedid.internal.lease.StoreState.TICK;

import io.distributedid.internal.lease.StoreLosses.Loss;
import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * What a small world has.
 *
 * @param numbers worker numbers
 * @param ticks until when time passes
 * @param clocks by process, how far its clock differs, in ticks
 * @param places by process, its address
 * @param losses what may happen
 * @param faults how often
 * @param mishaps how often a request is late, a process dies, or a command is cut off or repeated
 * @param isStale whether a read may show an older copy
 * @param begins how it begins
 */
record StoreScenario(
        int numbers,
        int ticks,
        List<Integer> clocks,
        List<Integer> places,
        List<Command> commands,
        Set<Loss> losses,
        int faults,
        int mishaps,
        boolean isStale,
        Begin begins) {

    /** How a world begins. */
    enum Begin {
        UNUSED,
        /** The first process holds a right. */
        HELD,
        /** The same, and a loss was told of. */
        HELD_AND_LOST,
        /** The store was moved to the second address. */
        MOVED,
        /** The same, and back. */
        MOVED_BACK
    }

    /** Commands of an operator. */
    enum Kind {
        INIT,
        REPAIR,
        MOVE
    }

    /**
     * @param place where it works, or what it moves
     * @param window of the command {@code init}
     */
    record Command(Kind kind, int place, int window) {

        int target() {
            return 1 - place;
        }

        @Override
        public String toString() {
            return kind + (kind == Kind.INIT ? " " + window : "") + " of " + name(place);
        }
    }

    static final Command INIT = new Command(Kind.INIT, 0, 2);

    static final Command INIT_LONGER = new Command(Kind.INIT, 0, 3);

    static final Command INIT_TARGET = new Command(Kind.INIT, 1, 2);

    static final Command REPAIR = new Command(Kind.REPAIR, 0, 0);

    static final Command REPAIR_TARGET = new Command(Kind.REPAIR, 1, 0);

    static final Command MOVE = new Command(Kind.MOVE, 0, 0);

    static final Command BACK = new Command(Kind.MOVE, 1, 0);

    static final String TOKEN = "t";

    static final String FOREIGN = "f";

    /** Two processes whose clocks are right, at one store. */
    static StoreScenario two(int ticks, Set<Loss> losses, int faults, int mishaps) {
        return new StoreScenario(
                1, ticks, List.of(0, 0), List.of(0, 0), List.of(), losses, faults, mishaps, false, Begin.UNUSED);
    }

    StoreScenario clocks(Integer... those) {
        return new StoreScenario(
                numbers,
                ticks,
                List.of(those),
                Collections.nCopies(those.length, 0),
                commands,
                losses,
                faults,
                mishaps,
                isStale,
                begins);
    }

    StoreScenario at(Integer... those) {
        return new StoreScenario(
                numbers,
                ticks,
                Collections.nCopies(those.length, 0),
                List.of(those),
                commands,
                losses,
                faults,
                mishaps,
                isStale,
                begins);
    }

    StoreScenario with(Command... those) {
        return new StoreScenario(
                numbers, ticks, clocks, places, List.of(those), losses, faults, mishaps, isStale, begins);
    }

    StoreScenario numbers(int many) {
        return new StoreScenario(many, ticks, clocks, places, commands, losses, faults, mishaps, isStale, begins);
    }

    StoreScenario stale() {
        return new StoreScenario(numbers, ticks, clocks, places, commands, losses, faults, mishaps, true, begins);
    }

    StoreScenario begins(Begin those) {
        return new StoreScenario(numbers, ticks, clocks, places, commands, losses, faults, mishaps, isStale, those);
    }

    static String name(int place) {
        return place == 0 ? "here" : "there";
    }

    /** Half a tick if clocks are right: then {@link StoreHeader#longest} is of whole ticks. */
    long skew() {
        return clocks.stream().anyMatch(each -> each != 0) ? TICK : TICK / 2;
    }

    StoreHeader.Terms terms() {
        return new StoreHeader.Terms(2 * TICK, skew());
    }

    StoreState start() {
        StoreState state = new StoreState();
        state.now = 1;
        state.stores = new ArrayList<>(List.of(store(TOKEN), Map.of()));
        state.servers = new ArrayList<>(List.of("1", "2"));
        state.copy = isStale || losses.stream().anyMatch(Loss::isOfCopy) ? store(TOKEN) : null;
        state.owners = Collections.nCopies(numbers, new int[ticks + 12]);
        state.faults = faults;
        state.mishaps = mishaps;
        state.actors = new ArrayList<>();
        places.forEach(place -> state.actors.add(process(place)));
        IntStream.range(0, commands.size()).forEach(command -> state.actors.add(operator(command, state.fresh())));
        switch (begins) {
            case HELD, HELD_AND_LOST -> hold(state);
            case MOVED -> move(state, 0);
            case MOVED_BACK -> {
                move(state, 0);
                move(state, 1);
            }
            case UNUSED -> {}
        }
        return state;
    }

    /** A command moves a store that nobody uses. */
    private static void move(StoreState state, int place) {
        StoreCommand command = new StoreCommand(state.fresh(), "");
        StoreCommand.Step step = step(state, command, place);
        while (step instanceof StoreCommand.Make make) {
            make.source().forEach(change -> write(state, place, change));
            make.target().forEach(change -> write(state, 1 - place, change));
            step = step(state, command, place);
        }
        if (!(step instanceof StoreCommand.Done)) {
            throw new IllegalStateException("" + step);
        }
    }

    private static StoreCommand.Step step(StoreState state, StoreCommand command, int place) {
        int target = 1 - place;
        return command.move(
                new Page(state.stores.get(place), state.time()),
                state.servers.get(place),
                new Page(state.stores.get(target), state.time()),
                name(target),
                state.servers.get(target),
                name(place),
                state.fresh());
    }

    private static void write(StoreState state, int place, Change change) {
        if (!state.write(new StoreState.Write(place, change))) {
            throw new IllegalStateException("" + change);
        }
    }

    /** The first process has claimed a row, and confirmed that, before a loss was told of. */
    private void hold(StoreState state) {
        Actor actor = state.change(0);
        StoreHeader header = new StoreHeader(state.stores.get(0).get(StoreHeader.NAME));
        Row row = state.stores.get(0).get(StoreHeader.worker(0));
        long from = state.time();
        LeaseRequest request = new LeaseProtocol(LeaseProtocol.Rule.WINDOW_OVER, header.window())
                .claim(row, header.version(), from, from + header.window(), "A0", state.fresh(), from);
        boolean isDone = state.write(new StoreState.Write(0, request.change()));
        actor.lease = new LeaseState(request.lease().confirmed(), null, null);
        actor.used = actor.lease.held();
        int[] ticks = state.changeOwners(0);
        ticks[1] = 1;
        ticks[2] = 1;
        if (begins == Begin.HELD_AND_LOST) {
            isDone &= state.write(new StoreState.Write(0, header.lostSince(from).change(state.fresh())));
        }
        if (!isDone) {
            throw new IllegalStateException();
        }
        actor.learn(state.stores.get(0).values());
    }

    Map<String, Row> store(String token) {
        StoreHeader header = StoreHeader.first(token, "1", terms(), token).workers(numbers);
        Map<String, Row> rows = new HashMap<>(Map.of(StoreHeader.NAME, header.row()));
        IntStream.range(0, numbers)
                .mapToObj(StoreHeader::worker)
                .forEach(name -> rows.put(
                        name,
                        Change.create(name, token, 0, Row.State.NONE, Fields.NONE)
                                .next()));
        return Map.copyOf(rows);
    }

    static Actor process(int place) {
        Actor actor = new Actor();
        actor.place = place;
        return actor;
    }

    static Actor operator(int command, String id) {
        Actor actor = new Actor();
        actor.command = command;
        actor.id = id;
        return actor;
    }
}
