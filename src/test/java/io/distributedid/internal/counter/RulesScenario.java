package io.distributedid.internal.counter;

import io.distributedid.internal.counter.CounterRules.Known;
import io.distributedid.internal.counter.RealignRules.Command;
import io.distributedid.internal.counter.RuleTables.Header;
import io.distributedid.internal.counter.RuleTables.Row;
import io.distributedid.internal.counter.RuleTables.State;
import io.distributedid.internal.counter.RulesFaults.Fault;
import io.distributedid.internal.counter.RulesState.Actor;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A small world.
 *
 * @param lists of servers; the first is open at the start, unless nothing is
 * @param processes each with the list that it has, by index
 * @param commands {from, to}
 * @param faults of which {@code faultBudget} happen at most
 * @param opened how far the world has come at the start: 0 nothing is there, 1 the table is open, 2 the counter is in
 *     use, {@link #FOREIGN}
 * @param remembered whether an application's database remembers the token
 * @param atomicLooks whether a process reads all servers at once
 */
record RulesScenario(
        int size,
        List<List<Integer>> lists,
        List<Integer> processes,
        List<List<Integer>> commands,
        Set<Fault> faults,
        int faultBudget,
        int draws,
        int mishaps,
        int opened,
        boolean tickets,
        boolean remembered,
        boolean atomicLooks) {

    /** The counter is in use, and a foreign client has drawn 2 and 3 after our 1. */
    static final int FOREIGN = 3;

    static final List<Integer> AB = List.of(0, 1);

    private static final int TOKEN = 1;

    private static final int VERSION = 2;

    /** A first use; if there is more than one list, each process has its own. */
    static RulesScenario firstUse(Set<Fault> faults, List<List<Integer>> lists) {
        List<Integer> processes = lists.size() == 1 ? List.of(0, 0) : List.of(0, 1);
        return new RulesScenario(
                size(lists),
                lists,
                processes,
                List.of(),
                faults,
                faults.size() > 0 ? 1 : 0,
                2,
                1,
                0,
                false,
                false,
                false);
    }

    /** Two processes draw from a counter that is in use, and one fault happens. */
    static RulesScenario inUse(Set<Fault> faults, int opened, int draws, boolean tickets, List<Integer> list) {
        return new RulesScenario(
                list.size(),
                List.of(list),
                List.of(0, 0),
                List.of(),
                faults,
                faults.size() > 0 ? 1 : 0,
                draws,
                opened == 1 ? 1 : 0,
                opened,
                tickets,
                list.size() == 1,
                false);
    }

    /** A process with each list, and commands; one fault happens. */
    static RulesScenario commands(
            Set<Fault> faults, int mishaps, boolean tickets, List<List<Integer>> lists, List<List<Integer>> commands) {
        return new RulesScenario(
                size(lists),
                lists,
                IntStream.range(0, lists.size()).boxed().toList(),
                commands,
                faults,
                faults.size() > 0 ? 1 : 0,
                2,
                mishaps,
                2,
                tickets,
                true,
                true);
    }

    private static int size(List<List<Integer>> lists) {
        return 1 + lists.stream().flatMap(List::stream).reduce(0, Math::max);
    }

    RulesState start() {
        RulesState state = new RulesState();
        state.servers = new ArrayList<>();
        for (int server = 0; server < size; server++) {
            state.servers.add(origin(server));
        }
        state.fresh = 3;
        state.given = opened == FOREIGN ? 0b1110 : 0;
        state.place = opened > 0 && remembered ? TOKEN : 0;
        state.current = opened > 0 ? 0 : -1;
        state.faults = faultBudget;
        state.mishaps = mishaps;
        state.actors = new ArrayList<>();
        processes.forEach(list -> state.actors.add(process(list, state.place)));
        IntStream.range(0, commands.size()).forEach(command -> state.actors.add(operator(command, state.fresh++)));
        return state;
    }

    /** What a server holds at the start; an older copy of later states. */
    RuleTables origin(int server) {
        List<Integer> list = lists.get(0);
        int place = list.indexOf(server);
        RuleTables empty = RuleTables.empty(server + 1, size);
        if (opened == 0 || place < 0) {
            return empty;
        }
        List<Integer> members = list.stream().map(each -> each + 1).toList();
        int version = RuleTables.version(0, 2, VERSION);
        Header header = new Header(version, State.OPEN, TOKEN, list.size(), place + 1, members, 1, 0, -1, 0);
        if (opened == 1) {
            return empty.header(header);
        }
        List<Integer> notes = new ArrayList<>(Collections.nCopies(size, RuleTables.NONE));
        IntStream.range(0, list.size()).filter(each -> each != place).forEach(each -> notes.set(each, 0));
        int number = opened == FOREIGN ? 1 : 0;
        Row row = new Row(version, true, false, number, server + 1, 1, 0);
        return new RuleTables(server + 1, header, row, notes, opened == FOREIGN ? 3 : 0);
    }

    Actor process(int list, int token) {
        Actor actor = new Actor();
        actor.list = list;
        actor.known = Known.nothing(remembered ? token : 0, lists.get(list).size());
        return actor;
    }

    Actor operator(int command, int id) {
        Actor actor = process(commands.get(command).get(1), 0);
        actor.command = command;
        actor.id = id;
        return actor;
    }

    /** A repair of a list, which is none of the commands. */
    Actor repair(int list, int id) {
        Actor actor = process(list, 0);
        actor.command = commands.size() + list;
        actor.id = id;
        return actor;
    }

    Command command(int command, int id, int above, int place) {
        int from = command < commands.size() ? commands.get(command).get(0) : command - commands.size();
        int to = command < commands.size() ? commands.get(command).get(1) : from;
        return new Command(id, from, to, lists.get(from), lists.get(to), above, place);
    }

    String name(int command) {
        Command is = command(command, 0, 0, 0);
        return is.isRepair() ? "repair " + is.target() : "move " + is.source() + " to " + is.target();
    }

    boolean answers(RulesState state, int server) {
        return state.absent != server || state.away != null;
    }

    boolean judgesRaises() {
        return opened >= 2 && commands.isEmpty();
    }

    /** The list for which a header was written. */
    int listOf(Header header) {
        List<Integer> servers =
                header.members().stream().map(RulesFaults::server).toList();
        return lists.indexOf(servers);
    }
}
