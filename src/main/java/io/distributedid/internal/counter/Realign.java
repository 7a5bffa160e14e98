package io.distributedid.internal.counter;

import io.distributedid.CounterMove;
import io.distributedid.CounterMove.Jump;
import io.distributedid.CounterMove.Kind;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.internal.counter.CounterServer.Look;
import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.RealignCommand.Member;
import io.distributedid.internal.counter.Write.ToHeader;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.process.Platform;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Carries out an operator's {@code repair} or {@code move} for all counters of one table, as {@link RealignRules}
 * decide. Each change is made on the connection that was looked at. Safe to repeat after a failure, and while clients
 * run. The class is long because the steps share the servers of both lists. Used once, by one thread.
 */
final class Realign {

    private static final Logger LOG = System.getLogger(Realign.class.getName());

    /** Looks until all rows are sealed: others may change them meanwhile. */
    private static final int LOOKS = 100;

    /**
     * What an operator wants.
     *
     * @param from the servers that have the counters
     * @param to those that get them: the same for {@code repair}, and if they end
     * @param counter one of the table's counters
     * @param table the name of the table at {@code to}
     * @param least for counters that are merged with those of the table: see {@link RealignCommand#least}
     * @param kind see {@link RealignCommand#kind}
     * @param era see {@link RealignCommand#era}
     * @param place the token that the application's database remembers; empty if none
     * @param move what the operator says
     */
    record Order(
            ServerList from,
            ServerList to,
            CounterKey counter,
            String table,
            Map<CounterKey, Long> least,
            Kind kind,
            long era,
            String place,
            CounterMove move) {}

    private final Order order;

    private final RealignRules rules;

    private final Platform platform;

    /** The addresses and the servers, by place. A server of both lists is used as one of the new list. */
    private final Map<String, CounterServer> servers = new LinkedHashMap<>();

    /** The addresses of the new list: one server may have two, with the old table and the new one. */
    private final Set<String> targets = new LinkedHashSet<>();

    /** The servers of the new list; none if the counters end. */
    private final List<CounterServer> to;

    private final RefusalText text;

    /** The counters that stay closed. */
    private final Set<CounterKey> closed = new LinkedHashSet<>();

    /** By counter, an id at or above all that it gave. */
    private final Map<CounterKey, Long> reached = new LinkedHashMap<>();

    private List<RealignCommand> commands = List.of();

    Realign(Order order) {
        this.order = order;
        this.rules = new RealignRules(order.to.rules());
        this.platform = order.to.platform();
        order.from.servers().forEach(each -> servers.put(address(each, order.counter.table()), each));
        this.to = order.kind == Kind.END ? List.of() : order.to.servers();
        to.forEach(each -> targets.add(address(each, order.table)));
        to.forEach(each -> servers.put(address(each, order.table), each));
        this.text = new RefusalText(
                servers.values().stream().map(CounterServer::label).toList(), order.to.rules());
    }

    /** Two servers with one address are one: {@link #requireSame} refuses others. */
    private static String address(CounterServer server, String table) {
        return server.label() + " " + table;
    }

    /** Throws why the order would be refused, and changes nothing. */
    Jump judge() {
        return call(() -> {
            List<Look> looks = look();
            List<Write> unused = begin(looks);
            return jump(looks);
        });
    }

    /**
     * Returns for each counter an id at or above all that it gave.
     *
     * @throws IdConfigurationException if nothing was done, or another command was faster
     * @throws IdUnavailableException if a server does not answer; repeat the call when it does
     */
    Map<CounterKey, Long> run() {
        return call(() -> {
            realign();
            return reached;
        });
    }

    private <T> T call(LibraryThread.Work<T> work) {
        try {
            commands = commands();
            return work.run();
        } catch (SQLException e) {
            throw silent("", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the call", e);
        }
    }

    /**
     * One for each counter that is there, or was: a move that was cut off may have closed some that the list to which
     * the next one goes back does not have. Asks all servers.
     */
    private List<RealignCommand> commands() throws SQLException, InterruptedException {
        String id = platform.token();
        Map<String, Seen> first = new HashMap<>();
        List<CounterServer> from = order.from.servers();
        List<Member> source = members(from, order.counter, first);
        boolean isRepair = from.equals(to) && order.counter.table().equals(order.table);
        List<Member> target = isRepair ? source : members(to, order.counter.in(order.table), first);
        Set<CounterKey> counters = new LinkedHashSet<>(Set.of(order.counter));
        counters.addAll(order.least.keySet());
        counters.addAll(counters());
        RealignCommand named = new RealignCommand(
                id,
                place(source, order.counter.table()),
                place(target, order.table),
                source,
                target,
                order.counter,
                order.counter.in(order.table),
                order.move.above(),
                order.least.getOrDefault(order.counter, 0L),
                order.kind,
                order.era,
                order.place);
        return counters.stream().map(each -> of(named, each)).toList();
    }

    /** The same command for another counter of the table. */
    private RealignCommand of(RealignCommand command, CounterKey counter) {
        return command.of(
                counter,
                counter.in(order.table),
                isNamed(counter) ? order.move.above() : 0,
                order.least.getOrDefault(counter, 0L));
    }

    private Set<CounterKey> counters() throws SQLException, InterruptedException {
        Set<CounterKey> counters = new LinkedHashSet<>();
        for (Map.Entry<String, CounterServer> server : servers.entrySet()) {
            CounterKey named = targets.contains(server.getKey()) ? order.counter.in(order.table) : order.counter;
            server.getValue().counters(named).forEach(each -> counters.add(each.in(order.counter.table())));
        }
        return counters;
    }

    /**
     * Adds the counters that were first used while the headers were being closed. A process that creates one later
     * looks at the header again before it draws.
     */
    private void addCounters() throws SQLException, InterruptedException {
        Set<CounterKey> begun = counters();
        commands.forEach(each -> begun.remove(each.counter()));
        List<RealignCommand> all = new ArrayList<>(commands);
        begun.forEach(each -> all.add(of(commands.get(0), each)));
        commands = all;
    }

    private boolean isNamed(CounterKey counter) {
        return counter.row().equals(order.counter.row());
    }

    /** {@code first}: by address, what a member of that showed; is added to. */
    private List<Member> members(List<CounterServer> list, CounterKey counter, Map<String, Seen> first)
            throws InterruptedException {
        List<Member> members = new ArrayList<>();
        for (CounterServer server : list) {
            String address = address(server, counter.table());
            try {
                Seen seen =
                        server.look(List.of(counter), !order.move.isDryRun()).seen(counter);
                requireSame(server, first.putIfAbsent(address, seen), seen);
                members.add(new Member(address, seen.numbering()));
            } catch (SQLException e) {
                throw silent(", server=" + server.label(), e);
            }
        }
        return members;
    }

    private static IdUnavailableException silent(String which, SQLException e) {
        return new IdUnavailableException(
                FailureText.ofNeeded("All servers", e, which + ". Repeat the call when they do"), e);
    }

    /** DataSources have labels by their places only. A header's version tells servers apart whose identity does not. */
    private void requireSame(CounterServer server, @Nullable Seen one, Seen other) {
        if (one != null && !(one.identity().equals(other.identity()) && Objects.equals(one.header(), other.header()))) {
            throw new IdConfigurationException("Two servers of a command have one label: " + order.counter + " on "
                    + server.label() + ", identity=" + one.identity() + " token=" + token(one) + " and identity="
                    + other.identity() + " token=" + token(other) + ". List servers by URL, or DataSources as"
                    + " ConnectionAccess with a label each. If it is one server that was changed meanwhile, repeat the"
                    + " command");
        }
    }

    private static String token(Seen seen) {
        Header header = seen.header();
        return header == null ? "none" : header.token();
    }

    private static String place(List<Member> list, String table) {
        return list.isEmpty()
                ? ""
                : ServerList.place(
                        table,
                        list.stream()
                                .map(each -> each.address() + " " + each.numbering())
                                .toList());
    }

    /** Returns what closes the headers; none if an earlier attempt has done all. */
    private List<Write> begin(List<Look> looks) {
        String token = platform.token();
        Map<RealignCommand, Verdict> begun = new LinkedHashMap<>();
        commands = commands.stream()
                .map(each -> wasLost(each, looks) ? each.lost() : each)
                .toList();
        commands.forEach(each -> begun.put(each, rules.begin(each, seen(each, looks), token)));
        requireAccepted(begun);
        return RealignRules.joined(begun.values());
    }

    private void realign() throws SQLException, InterruptedException {
        List<Look> looks = look();
        List<Write> closes = begin(looks);
        if (closes.isEmpty()) {
            commands.forEach(each -> reached.put(each.counter(), last(RealignLook.of(each, seen(each, looks)))));
            // A database may not have been named by the command that did it.
            RealignLook done = RealignLook.of(commands.get(0), seen(commands.get(0), looks));
            done.headers(done.target())
                    .findFirst()
                    .ifPresent(header -> order.move.remember().accept(header.token()));
            return;
        }
        boolean isEmptied = commands.stream()
                .map(each -> seen(each, looks))
                .flatMap(List::stream)
                .allMatch(each -> each.header() == null);
        if (isEmptied && !order.place.isEmpty() && closes.get(0).change() instanceof ToHeader made) {
            // Another place than is remembered. If this is cut off, it is repeated there.
            order.move.remember().accept(made.header().token());
        }
        requireMade(closes, looks);
        for (int look = 0; look < LOOKS; look++) {
            if (go()) {
                return;
            }
        }
        throw new IdUnavailableException(
                "The rows changed again and again while they were sealed: " + order.counter + ". Repeat the call");
    }

    /** The last id of the new list. */
    private static long last(RealignLook look) {
        return look.target().places().stream()
                .mapToLong(place -> RefusalText.last(look.seen().get(place)))
                .reduce(0, Math::max);
    }

    /** With the header of the table, a neighbour lost all that the ledger knew of it. */
    private boolean wasLost(RealignCommand command, List<Look> looks) {
        return order.move.above() > 0
                && !isNamed(command.counter())
                && seen(command, looks).stream().allMatch(each -> each.header() == null);
    }

    /** Returns whether all is done. */
    private boolean go() throws SQLException, InterruptedException {
        addCounters();
        List<Look> looks = look();
        Map<RealignCommand, Verdict> verdicts = judge(looks, Map.of());
        Map<RealignCommand, Verdict> drawn = verdicts;
        for (Map.Entry<RealignCommand, Verdict> each : verdicts.entrySet()) {
            for (int place : each.getValue().doubts()) {
                server(place).drawNumber(counter(each.getKey(), place));
            }
        }
        if (verdicts.values().stream().anyMatch(each -> !each.doubts().isEmpty())) {
            looks = look();
            verdicts = judge(looks, drawn);
        }
        requireAccepted(verdicts);
        List<Write> writes = RealignRules.joined(verdicts.values());
        if (writes.isEmpty() || RealignRules.isSeal(writes.get(0))) {
            // What has changed meanwhile, the next look shows.
            Set<Write> unused = make(writes, looks);
            return false;
        }
        for (RealignCommand each : commands) {
            reached.put(each.counter(), rules.above(each, seen(each, looks, drawn)));
        }
        writes.stream()
                .map(Write::change)
                .filter(change -> change instanceof ToHeader to && to.header().state() == State.OPEN)
                .findFirst()
                .ifPresent(opened -> order.move
                        .remember()
                        .accept(((ToHeader) opened).header().token()));
        requireMade(writes, looks);
        return true;
    }

    /** {@code drawn}: its doubts are the ticket tables from which a number was drawn before the look. */
    private Map<RealignCommand, Verdict> judge(List<Look> looks, Map<RealignCommand, Verdict> drawn) {
        String token = platform.token();
        Map<RealignCommand, Verdict> verdicts = new LinkedHashMap<>();
        commands.forEach(each -> verdicts.put(each, rules.go(each, seen(each, looks, drawn), token)));
        return verdicts;
    }

    private List<Seen> seen(RealignCommand command, List<Look> looks, Map<RealignCommand, Verdict> drawn) {
        List<Seen> seen = seen(command, looks);
        Verdict before = drawn.get(command);
        if (before != null) {
            before.doubts().forEach(place -> seen.set(place, seen.get(place).drawn()));
        }
        return seen;
    }

    /** A neighbour that lost ids stays closed: its own command must say above which id it goes on. Then none ends. */
    private void requireAccepted(Map<RealignCommand, Verdict> verdicts) {
        verdicts.forEach((command, verdict) -> verdict.refusals().stream()
                .filter(Objects::nonNull)
                .findFirst()
                .ifPresent(refusal -> {
                    String why = text.of(counter(command, refusal.place()), refusal);
                    if (isNamed(command.counter())
                            || refusal.kind() != Refusal.Kind.LOST_ALONE
                            || order.kind == Kind.END) {
                        throw new IdConfigurationException(why);
                    }
                    if (closed.add(command.counter())) {
                        LOG.log(Level.WARNING, "A counter of the same table stays closed. " + why);
                    }
                }));
    }

    /** The changes of headers one after the other, those of rows in between together. */
    private void requireMade(List<Write> writes, List<Look> looks) throws SQLException, InterruptedException {
        int from = 0;
        while (from < writes.size()) {
            int to = from + 1;
            while (to < writes.size() && isOfRow(writes.get(from)) && isOfRow(writes.get(to))) {
                to++;
            }
            List<Write> some = writes.subList(from, to);
            Set<Write> made = make(some, looks);
            some.stream().filter(each -> !made.contains(each)).findFirst().ifPresent(each -> {
                throw new IdConfigurationException(
                        text.of(each.change().counter(), Refusal.of(Refusal.Kind.BEATEN, each.place())));
            });
            from = to;
        }
    }

    private static boolean isOfRow(Write write) {
        return write.change() instanceof Write.ToRow;
    }

    /** Returns those that were made. */
    private Set<Write> make(List<Write> writes, List<Look> looks) throws SQLException, InterruptedException {
        Set<Write> made = new HashSet<>();
        for (int place = 0; place < looks.size(); place++) {
            Map<Write, Look> ofServer = new LinkedHashMap<>();
            for (Write each : writes) {
                if (each.place() == place) {
                    ofServer.put(each, looks.get(place));
                }
            }
            if (!ofServer.isEmpty()) {
                made.addAll(server(place).write(ofServer));
            }
        }
        return made;
    }

    private CounterServer server(int place) {
        return List.copyOf(servers.values()).get(place);
    }

    private CounterKey counter(RealignCommand command, int place) {
        boolean isTarget = targets.contains(List.copyOf(servers.keySet()).get(place));
        return isTarget ? command.successor() : command.counter();
    }

    /** By place. */
    private List<Look> look() throws SQLException, InterruptedException {
        List<LibraryThread.Work<Look>> work = new ArrayList<>();
        for (int place = 0; place < servers.size(); place++) {
            int at = place;
            List<CounterKey> counters =
                    commands.stream().map(each -> counter(each, at)).toList();
            work.add(() -> server(at).look(counters, !order.move.isDryRun()));
        }
        return platform.callAll(work);
    }

    private List<Seen> seen(RealignCommand command, List<Look> looks) {
        List<Seen> seen = new ArrayList<>();
        for (int place = 0; place < looks.size(); place++) {
            seen.add(looks.get(place).seen(counter(command, place)));
        }
        return seen;
    }

    private Jump jump(List<Look> looks) {
        long above = 0;
        for (RealignCommand command : commands) {
            long highest = rules.highest(command, seen(command, looks));
            requireRoom(command, seen(command, looks), highest);
            above = Math.max(above, highest);
        }
        RealignCommand named = commands.get(0);
        RealignLook look = RealignLook.of(named, seen(named, looks));
        Map<String, Long> last = new LinkedHashMap<>();
        look.source()
                .places()
                .forEach(place -> last.put(
                        server(place).label(), RefusalText.last(look.seen().get(place))));
        return new Jump(last, RealignLook.tokens(look.headers(look.source())), above);
    }

    /** Before anything is closed: counters that work go on. */
    private void requireRoom(RealignCommand command, List<Seen> seen, long above) {
        for (int place : RealignLook.of(command, seen).target().places()) {
            if (CounterRules.isBeyondEnd(seen.get(place), above)) {
                throw new IdConfigurationException(
                        text.of(counter(command, place), CounterRules.noRoom(place, seen.get(place), above)));
            }
        }
    }
}
