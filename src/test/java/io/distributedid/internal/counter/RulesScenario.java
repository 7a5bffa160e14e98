package io.distributedid.internal.counter;

import io.distributedid.CounterMove.Kind;
import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.RealignCommand.Member;
import io.distributedid.internal.counter.RulesFaults.Fault;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * A small world with one counter.
 *
 * @param lists of servers; the first is open at the start, unless nothing is
 * @param processes each with the list that it has, by index
 * @param commands {from, to}, or {list} if a server of the list is lost for good
 * @param faults of which {@code faultBudget} happen at most
 * @param opened how far the world has come at the start: 0 nothing is there, 1 the table is open, 2 the counter is in
 *     use, {@link #FOREIGN}
 * @param remembered whether an application's database remembers the token
 * @param atomicLooks whether a process reads all servers at once
 * @param hasRoom whether all lists number as one of all servers does
 * @param least the ids of counters that the commands merge with this one lie at or below; 0 if they merge none
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
        boolean atomicLooks,
        boolean hasRoom,
        long least) {

    /** Instead of the list to which a command moves: there is none. */
    static final int END = -1;

    static final CounterKey COUNTER = new CounterKey("t", "", "photos");

    /** The counter is in use, and a foreign client has drawn 2 and 3 after our 1. */
    static final int FOREIGN = 3;

    /** Random texts are numbers. */
    static final int FIRST_RANDOM = 200;

    static final List<Integer> AB = List.of(0, 1);

    private static final String TOKEN = "1";

    private static final Version VERSION = new Version(2, "2");

    /** A first use; if there is more than one list, each process has its own. */
    static RulesScenario firstUse(Set<Fault> faults, List<List<Integer>> lists) {
        List<Integer> processes = lists.size() == 1 ? List.of(0, 0) : List.of(0, 1);
        return new RulesScenario(
                size(lists),
                lists,
                processes,
                List.of(),
                faults,
                faults.size(),
                2,
                1,
                0,
                false,
                false,
                false,
                false,
                0);
    }

    /** Two processes draw from a counter that is in use, and one fault happens. */
    static RulesScenario inUse(Set<Fault> faults, int opened, int draws, boolean tickets, List<Integer> list) {
        return new RulesScenario(
                list.size(),
                List.of(list),
                List.of(0, 0),
                List.of(),
                faults,
                faults.size(),
                draws,
                opened == 1 ? 1 : 0,
                opened,
                tickets,
                list.size() == 1,
                false,
                false,
                0);
    }

    /** A process with each list, and commands; one fault happens. */
    static RulesScenario commands(
            Set<Fault> faults, int mishaps, boolean tickets, List<List<Integer>> lists, List<List<Integer>> commands) {
        List<Integer> processes = IntStream.range(0, lists.size()).boxed().toList();
        return new RulesScenario(
                size(lists),
                lists,
                processes,
                commands,
                faults,
                faults.size(),
                2,
                mishaps,
                2,
                tickets,
                true,
                true,
                false,
                0);
    }

    /** With one process, which has the first list, and no database that remembers its token. */
    RulesScenario lone() {
        return new RulesScenario(
                size,
                lists,
                List.of(0),
                commands,
                faults,
                faultBudget,
                draws,
                mishaps,
                opened,
                tickets,
                false,
                true,
                hasRoom,
                least);
    }

    /** As {@link #FOREIGN} says. */
    RulesScenario foreign() {
        return new RulesScenario(
                size,
                lists,
                processes,
                commands,
                faults,
                faultBudget,
                draws + 3,
                mishaps,
                FOREIGN,
                tickets,
                remembered,
                atomicLooks,
                hasRoom,
                least);
    }

    RulesScenario withRoom() {
        return new RulesScenario(
                size,
                lists,
                processes,
                commands,
                faults,
                faultBudget,
                draws,
                mishaps,
                opened,
                tickets,
                remembered,
                atomicLooks,
                true,
                least);
    }

    RulesScenario merging(long others) {
        return new RulesScenario(
                size,
                lists,
                processes,
                commands,
                faults,
                faultBudget,
                draws,
                mishaps,
                opened,
                tickets,
                remembered,
                atomicLooks,
                hasRoom,
                others);
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
        state.given = opened == FOREIGN ? 0b1110 : 0;
        state.place = opened > 0 && remembered ? TOKEN : "";
        state.current = opened > 0 ? 0 : -1;
        state.faults = faultBudget;
        state.mishaps = mishaps;
        state.actors = new ArrayList<>();
        processes.forEach(list -> state.actors.add(process(list, state.place)));
        IntStream.range(0, commands.size()).forEach(command -> state.actors.add(operator(command, state.fresh())));
        return state;
    }

    static String identity(int server) {
        return Integer.toString(server + 1);
    }

    MemoryTables empty(String identity) {
        return MemoryTables.empty(identity, tickets, Long.MAX_VALUE);
    }

    /** What a server holds at the start; an older copy of later states. */
    MemoryTables origin(int server) {
        List<Integer> list = lists.get(0);
        int place = list.indexOf(server);
        MemoryTables empty = empty(identity(server));
        if (opened == 0 || place < 0) {
            return empty;
        }
        List<String> members = list.stream().map(RulesScenario::identity).toList();
        MemoryTables open = empty.withHeader(
                COUNTER, new Header(VERSION, State.OPEN, TOKEN, numbering(list, place), members, 1, "", "", ""));
        if (opened == 1) {
            return open;
        }
        Map<Long, Long> notes = new HashMap<>();
        IntStream.range(0, list.size()).filter(each -> each != place).forEach(each -> notes.put(each + 1L, 0L));
        boolean isForeign = opened == FOREIGN;
        CounterRow row = new CounterRow(VERSION, false, isForeign ? 1 : 0, identity(server), 1, "");
        return open.with(COUNTER, new Stored(row, notes, OptionalLong.of(isForeign ? 3 : 0)));
    }

    Numbering numbering(List<Integer> list, int place) {
        return new Numbering(hasRoom ? size : list.size(), place + 1L);
    }

    Actor process(int list, String token) {
        Actor actor = new Actor();
        actor.list = list;
        actor.known = new Known(remembered ? token : "", 0, Map.of());
        return actor;
    }

    Actor operator(int command, String id) {
        Actor actor = process(to(commands.get(command)), "");
        actor.command = command;
        actor.id = id;
        return actor;
    }

    /** A repair of a list, which is none of the commands, or what follows if a server is lost for good. */
    Actor repair(int list, boolean isLost, String id) {
        Actor actor = process(list, "");
        actor.command = commands.size() + list + (isLost ? lists.size() : 0);
        actor.id = id;
        return actor;
    }

    private int from(Actor actor) {
        return actor.command < commands.size() ? commands.get(actor.command).get(0) : actor.list;
    }

    private static int to(List<Integer> command) {
        int last = command.get(command.size() - 1);
        return last == END ? command.get(0) : last;
    }

    private int to(Actor actor) {
        return actor.command < commands.size() ? to(commands.get(actor.command)) : from(actor);
    }

    /** Whether the command ends a list. */
    boolean isEnd(Actor actor) {
        return actor.command >= 0
                && actor.command < commands.size()
                && commands.get(actor.command).contains(END);
    }

    /** @param place the token that the application's database remembers */
    RealignCommand command(Actor actor, String place) {
        int from = from(actor);
        int to = to(actor);
        boolean isEnd = isEnd(actor);
        return new RealignCommand(
                actor.id,
                "list" + from,
                isEnd ? "" : "list" + to,
                members(lists.get(from)),
                isEnd ? List.of() : members(lists.get(to)),
                COUNTER,
                COUNTER,
                actor.above,
                least,
                isEnd ? Kind.END : isLost(actor) ? Kind.LOST : Kind.PLACE,
                0,
                place);
    }

    private List<Member> members(List<Integer> list) {
        return IntStream.range(0, list.size())
                .mapToObj(place -> new Member(identity(list.get(place)), numbering(list, place)))
                .toList();
    }

    /** Whose servers a command takes the counter from. */
    boolean isFrom(Actor actor, int list) {
        return actor.command >= 0 && from(actor) == list;
    }

    /** Whether the operator says that a server is lost for good. */
    boolean isLost(Actor actor) {
        return actor.command < commands.size()
                ? actor.command >= 0 && commands.get(actor.command).size() == 1
                : actor.command >= commands.size() + lists.size();
    }

    /** By place. */
    List<Integer> servers(Actor actor) {
        if (actor.command < 0 || from(actor) == to(actor)) {
            return lists.get(actor.command < 0 ? actor.list : to(actor));
        }
        List<Integer> servers = new ArrayList<>(lists.get(from(actor)));
        lists.get(to(actor)).stream().filter(each -> !servers.contains(each)).forEach(servers::add);
        return servers;
    }

    /** By which the actor draws from a server, and changes it. */
    Numbering numbering(Actor actor, int server) {
        List<Integer> list = lists.get(actor.command < 0 ? actor.list : to(actor));
        if (!list.contains(server)) {
            list = lists.get(from(actor));
        }
        return numbering(list, list.indexOf(server));
    }

    String name(Actor actor) {
        return actor.command < 0
                ? ""
                : from(actor) == to(actor)
                        ? " (repair " + lists.get(to(actor)) + ")"
                        : " (move " + lists.get(from(actor)) + " to " + lists.get(to(actor)) + ")";
    }

    boolean answers(RulesState state, int server) {
        return state.absent != server || state.away != null;
    }

    boolean judgesRaises() {
        return opened >= 2 && commands.isEmpty();
    }

    /** The list for which a header was written. */
    int listOf(Header header) {
        return lists.indexOf(header.members().stream().map(RulesFaults::server).toList());
    }
}
