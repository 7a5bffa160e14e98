package io.distributedid.internal.counter;

import io.distributedid.CounterMove.Kind;
import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.RealignCommand.Member;
import io.distributedid.internal.counter.RulesFaults.Fault;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Task;
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
 * @param commands {from, to}; {list} if a server of the list is lost for good; {list, {@link #NEW_SPACE}}; {from, to,
 *     other} if the counter of another list, whose entities have a database of their own, is merged
 * @param faults of which {@code faultBudget} happen at most
 * @param opened how far the world has come at the start: 0 nothing is there, 1 the table is open, 2 the counter is in
 *     use, {@link #FOREIGN}, {@link #COPIED}
 * @param remembered whether an application's database remembers the token
 * @param atomicLooks whether a process reads all servers at once
 * @param hasRoom whether all lists number as one of all servers does
 * @param opensFirst whether a process compares its token with the one that is remembered after it has opened the table
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
        boolean opensFirst) {

    /** Instead of the list to which a command moves: there is none. */
    static final int END = -1;

    /** Instead of the list to which a command moves: the list is a copy of another one, and counts for itself. */
    static final int NEW_SPACE = -2;

    static final CounterKey COUNTER = new CounterKey("t", "", "photos");

    /** The counter is in use, and a foreign client has drawn 2 and 3 after our 1. */
    static final int FOREIGN = 3;

    /** The counter is in use, and the second list is a copy of the first, as is the database of its entities. */
    static final int COPIED = 4;

    /** Random texts are numbers. */
    static final int FIRST_RANDOM = 200;

    static final List<Integer> AB = List.of(0, 1);

    private static final String TOKEN = "1";

    private static final String TOKEN_APART = "3";

    private static final Version VERSION = new Version(2, "2");

    private static final int MERGES = 3;

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
                faults.size(),
                draws,
                opened == 1 ? 1 : 0,
                opened,
                tickets,
                list.size() == 1,
                false,
                false,
                false);
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
                false);
    }

    /** With one process, which has the first list, and no database that remembers its token. */
    RulesScenario lone() {
        return with(List.of(0), draws, opened, false, hasRoom, opensFirst);
    }

    /** As {@link #FOREIGN} says. */
    RulesScenario foreign() {
        return with(processes, draws + 3, FOREIGN, remembered, hasRoom, opensFirst);
    }

    /** As {@link #COPIED} says. */
    RulesScenario copied() {
        return with(processes, draws, COPIED, remembered, hasRoom, opensFirst);
    }

    RulesScenario withRoom() {
        return with(processes, draws, opened, remembered, true, opensFirst);
    }

    /** With processes that have these lists, and so many draws. */
    RulesScenario with(List<Integer> lists, int most) {
        return with(lists, most, opened, remembered, hasRoom, opensFirst);
    }

    /** With processes that know no token when they look for the first time. */
    RulesScenario opening() {
        return with(processes, draws, opened, remembered, hasRoom, true);
    }

    private RulesScenario with(
            List<Integer> those, int most, int begin, boolean remembers, boolean room, boolean opens) {
        return new RulesScenario(
                size,
                lists,
                those,
                commands,
                faults,
                faultBudget,
                most,
                mishaps,
                begin,
                tickets,
                remembers,
                atomicLooks,
                room,
                opens);
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
        state.placeApart = merges() ? TOKEN_APART : TOKEN;
        state.current = opened == 0 ? -1 : isApart(0) ? (opened == COPIED ? 1 : -1) : 0;
        state.faults = faultBudget;
        state.mishaps = mishaps;
        state.actors = new ArrayList<>();
        processes.forEach(list -> state.actors.add(process(list, place(state, list))));
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
        boolean isOther = lists.size() > 1 && lists.get(1).contains(server) && (merges() || opened == COPIED);
        List<Integer> list = lists.get(isOther ? 1 : 0);
        int place = list.indexOf(server);
        MemoryTables empty = empty(identity(server));
        if (opened == 0 || place < 0) {
            return empty;
        }
        if (opened == COPIED && isOther) {
            return origin(lists.get(0).get(place)).withIdentity(identity(server));
        }
        String token = isOther ? TOKEN_APART : TOKEN;
        List<String> members = list.stream().map(RulesScenario::identity).toList();
        MemoryTables open = empty.withHeader(
                COUNTER, new Header(VERSION, State.OPEN, token, numbering(list, place), members, 1, "", "", ""));
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
        actor.known = new Known(remembered && !opensFirst ? token : "", 0, Map.of());
        return actor;
    }

    Actor operator(int command, String id) {
        Actor actor = process(to(commands.get(command)), "");
        actor.command = command;
        actor.id = id;
        actor.task = merges(commands.get(command)) ? Task.END_OTHER : Task.REALIGN;
        return actor;
    }

    /** A repair of a list, which is none of the commands, or what follows if a server is lost for good. */
    Actor repair(int list, boolean isLost, String id) {
        Actor actor = process(list, "");
        actor.command = commands.size() + list + (isLost ? lists.size() : 0);
        actor.id = id;
        return actor;
    }

    private static boolean merges(List<Integer> command) {
        return command.size() == MERGES;
    }

    /** Whether a command merges the counters of two places. */
    boolean merges() {
        return commands.stream().anyMatch(RulesScenario::merges);
    }

    boolean merges(Actor actor) {
        return actor.command >= 0 && actor.command < commands.size() && merges(commands.get(actor.command));
    }

    /** Whether the entities of the list have a database of their own: those that are merged, and those of a copy. */
    boolean isApart(int list) {
        return commands.stream()
                .anyMatch(command -> merges(command)
                        ? command.get(2) == list
                        : command.contains(NEW_SPACE) && command.get(0) != list);
    }

    /** The token that the database of the entities remembers. */
    String place(RulesState state, int list) {
        return isApart(list) ? state.placeApart : state.place;
    }

    private int from(Actor actor) {
        return actor.command >= commands.size()
                ? actor.list
                : commands.get(actor.command).get(actor.task == Task.END_OTHER ? 2 : 0);
    }

    private static int to(List<Integer> command) {
        return command.size() == 1 || command.get(1) < 0 ? command.get(0) : command.get(1);
    }

    private int to(Actor actor) {
        return actor.task == Task.END_OTHER || actor.command >= commands.size()
                ? from(actor)
                : to(commands.get(actor.command));
    }

    /** Whether the command ends a list. */
    boolean isEnd(Actor actor) {
        return is(actor, END) || actor.task == Task.END_OTHER;
    }

    private boolean is(Actor actor, int kind) {
        return actor.command >= 0
                && actor.command < commands.size()
                && commands.get(actor.command).contains(kind);
    }

    /** Whether the place stays, and its token does not. */
    boolean isAnew(Actor actor) {
        return isLost(actor) || is(actor, NEW_SPACE);
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
                actor.bound,
                isEnd ? Kind.END : kind(actor),
                0,
                place);
    }

    private Kind kind(Actor actor) {
        return isLost(actor) ? Kind.LOST : is(actor, NEW_SPACE) ? Kind.NEW_SPACE : Kind.PLACE;
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
