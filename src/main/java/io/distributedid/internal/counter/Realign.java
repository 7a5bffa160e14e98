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
import io.distributedid.internal.process.Pages;
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
import java.util.TreeMap;
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

    /** By place: see {@link RealignCommand#servers}. A server of both lists is used as one of the new list. */
    private final List<CounterServer> servers;

    /** The servers of the new list; none if the counters end. */
    private final List<CounterServer> to;

    private final RefusalText text;

    /** The counters that stay closed. */
    private final Set<CounterKey> closed = new LinkedHashSet<>();

    /** By counter, an id at or above all that it gave. */
    private final Map<CounterKey, Long> reached = new LinkedHashMap<>();

    /** That for the named counter comes first. */
    private List<RealignCommand> commands = List.of();

    /** What the servers held last, by place. */
    private List<Look> looks = List.of();

    /** The same, by command. */
    private List<RealignLook> seen = List.of();

    Realign(Order order) {
        this.order = order;
        this.rules = new RealignRules(order.to.rules());
        this.platform = order.to.platform();
        this.to = order.kind == Kind.END ? List.of() : order.to.servers();
        Map<String, CounterServer> byAddress = new LinkedHashMap<>();
        order.from.servers().forEach(each -> byAddress.put(address(each, order.counter.table()), each));
        to.forEach(each -> byAddress.put(address(each, order.table), each));
        this.servers = List.copyOf(byAddress.values());
        this.text = new RefusalText(servers.stream().map(CounterServer::label).toList(), order.to.rules());
    }

    /** Two servers with one address are one: {@link #requireSame} refuses others. */
    private static String address(CounterServer server, String table) {
        return server.label() + " " + table;
    }

    /** Throws why the order would be refused, and changes nothing. */
    Jump judge() {
        return call(() -> {
            List<Write> unused = begin();
            return jump();
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
            commands = List.of(named());
            addCounters();
            look();
            return work.run();
        } catch (SQLException e) {
            throw silent("", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted; repeat the call", e);
        }
    }

    /** The command for the counter that the operator has named. Asks all servers. */
    private RealignCommand named() throws InterruptedException {
        Map<String, Seen> first = new HashMap<>();
        List<CounterServer> from = order.from.servers();
        CounterKey successor = order.counter.in(order.table);
        List<Member> source = members(from, order.counter, first);
        boolean isRepair = from.equals(to) && order.counter.equals(successor);
        List<Member> target = isRepair ? source : members(to, successor, first);
        return new RealignCommand(
                platform.token(),
                RealignCommand.place(source),
                RealignCommand.place(target),
                source,
                target,
                order.counter,
                successor,
                order.move.above(),
                order.least.getOrDefault(order.counter, 0L),
                order.kind,
                order.era,
                order.place);
    }

    /**
     * Adds a command for each other counter that is there, or was: a move that was cut off may have closed some that
     * the list to which the next one goes back does not have. Some may be first used while the headers are being
     * closed; a process that creates one later looks at the header again before it draws.
     */
    private void addCounters() throws SQLException, InterruptedException {
        RealignCommand named = commands.get(0);
        Set<CounterKey> others = new LinkedHashSet<>(order.least.keySet());
        for (int place = 0; place < servers.size(); place++) {
            CounterKey one = named.counter(place);
            servers.get(place)
                    .connection()
                    .call(session -> session.counters(one))
                    .forEach(each -> others.add(each.in(order.counter.table())));
        }
        commands.forEach(each -> others.remove(each.counter()));
        List<RealignCommand> all = new ArrayList<>(commands);
        others.forEach(each -> all.add(named.of(each, each.in(order.table), 0, order.least.getOrDefault(each, 0L))));
        commands = all;
    }

    private boolean isNamed(RealignCommand command) {
        return command.counter().equals(order.counter);
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
                FailureText.ofNeeded(
                        "All servers",
                        e,
                        which + ". Repeat the call when they do" + Pages.onCall("counter-not-all-answer")),
                e);
    }

    /** DataSources have labels by their places only. A header's version tells servers apart whose identity does not. */
    private void requireSame(CounterServer server, @Nullable Seen one, Seen other) {
        if (one != null && !(one.identity().equals(other.identity()) && Objects.equals(one.header(), other.header()))) {
            throw new IdConfigurationException("Two servers of a command have the same label: " + order.counter + " on "
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

    /** Returns what closes the headers; none if an earlier attempt has done all. */
    private List<Write> begin() {
        String token = platform.token();
        seen = seen.stream().map(each -> wasLost(each) ? each.lost() : each).toList();
        commands = seen.stream().map(RealignLook::command).toList();
        return accepted(seen.stream().map(each -> rules.begin(each, token)).toList());
    }

    /** With the header of the table, a neighbour lost all that the ledger knew of it. */
    private boolean wasLost(RealignLook look) {
        return order.move.above() > 0
                && !isNamed(look.command())
                && look.headers().findAny().isEmpty();
    }

    private void realign() throws SQLException, InterruptedException {
        List<Write> closes = begin();
        if (closes.isEmpty()) {
            seen.forEach(each -> reached.put(each.command().counter(), last(each)));
            // A database may not have been named by the command that did it.
            RealignLook done = seen.get(0);
            done.headers(done.target())
                    .findFirst()
                    .ifPresent(header -> order.move.remember().accept(header.token()));
            return;
        }
        boolean isEmptied =
                seen.stream().allMatch(each -> each.headers().findAny().isEmpty());
        if (isEmptied && !order.place.isEmpty() && closes.get(0).change() instanceof ToHeader made) {
            // Another place than is remembered. If this is cut off, it is repeated there.
            order.move.remember().accept(made.header().token());
        }
        requireMade(closes);
        for (int look = 0; look < LOOKS; look++) {
            if (go()) {
                return;
            }
        }
        throw new IdUnavailableException(
                "The rows kept changing while they were sealed: " + order.counter + ". Repeat the call");
    }

    /** The last id of the new list. */
    private static long last(RealignLook look) {
        return look.target().places().stream()
                .mapToLong(place -> RefusalText.last(look.seen().get(place)))
                .reduce(0, Math::max);
    }

    /** Returns whether all is done. */
    private boolean go() throws SQLException, InterruptedException {
        addCounters();
        look();
        List<Verdict> verdicts = goOn();
        if (verdicts.stream().anyMatch(each -> !each.doubts().isEmpty())) {
            for (int i = 0; i < commands.size(); i++) {
                for (int place : verdicts.get(i).doubts()) {
                    CounterKey counter = commands.get(i).counter(place);
                    boolean unused = servers.get(place).connection().call(session -> {
                        session.drawNumber(counter);
                        return true;
                    });
                }
            }
            look();
            List<RealignLook> drawn = new ArrayList<>();
            for (int i = 0; i < commands.size(); i++) {
                drawn.add(seen.get(i).drawn(verdicts.get(i).doubts()));
            }
            seen = drawn;
            verdicts = goOn();
        }
        List<Write> writes = accepted(verdicts);
        if (writes.isEmpty() || RealignRules.isSeal(writes.get(0))) {
            // What has changed meanwhile, the next look shows.
            Set<Write> unused = make(writes);
            return false;
        }
        seen.forEach(each -> reached.put(each.command().counter(), rules.above(each)));
        for (Write each : writes) {
            if (each.change() instanceof ToHeader to && to.header().state() == State.OPEN) {
                order.move.remember().accept(to.header().token());
                break;
            }
        }
        requireMade(writes);
        return true;
    }

    private List<Verdict> goOn() {
        String token = platform.token();
        return seen.stream().map(each -> rules.go(each, token)).toList();
    }

    /**
     * What to write next. A neighbour that lost ids stays closed: its own command must say above which id it goes on.
     * Then none ends.
     */
    private List<Write> accepted(List<Verdict> verdicts) {
        for (int i = 0; i < verdicts.size(); i++) {
            RealignCommand command = commands.get(i);
            Refusal refusal = verdicts.get(i).refusals().get(0);
            boolean isNeighbours = !isNamed(command) && order.kind != Kind.END;
            if (refusal == null) {
                continue;
            }
            String why = text.of(command.counter(refusal.place()), refusal);
            if (!isNeighbours || refusal.kind() != Refusal.Kind.LOST_ALONE) {
                throw new IdConfigurationException(why);
            }
            if (closed.add(command.counter())) {
                LOG.log(Level.WARNING, "A counter of the same table stays closed. " + why);
            }
        }
        return RealignRules.joined(verdicts);
    }

    /** The changes of headers one after the other, those of rows in between together. */
    private void requireMade(List<Write> writes) throws SQLException, InterruptedException {
        int from = 0;
        while (from < writes.size()) {
            int to = from + 1;
            while (to < writes.size() && isOfRow(writes.get(from)) && isOfRow(writes.get(to))) {
                to++;
            }
            List<Write> some = writes.subList(from, to);
            Set<Write> made = make(some);
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
    private Set<Write> make(List<Write> writes) throws SQLException, InterruptedException {
        Map<Integer, Map<Write, Look>> byPlace = new TreeMap<>();
        for (Write each : writes) {
            byPlace.computeIfAbsent(each.place(), place -> new LinkedHashMap<>())
                    .put(each, looks.get(each.place()));
        }
        Set<Write> made = new HashSet<>();
        for (Map.Entry<Integer, Map<Write, Look>> each : byPlace.entrySet()) {
            made.addAll(servers.get(each.getKey()).write(each.getValue()));
        }
        return made;
    }

    private void look() throws SQLException, InterruptedException {
        List<LibraryThread.Work<Look>> work = new ArrayList<>();
        for (int i = 0; i < servers.size(); i++) {
            int place = i;
            List<CounterKey> counters =
                    commands.stream().map(each -> each.counter(place)).toList();
            work.add(() -> servers.get(place).look(counters, !order.move.isDryRun()));
        }
        looks = platform.callAll(work);
        seen = commands.stream().map(each -> RealignLook.of(each, seen(each))).toList();
    }

    private List<Seen> seen(RealignCommand command) {
        List<Seen> all = new ArrayList<>();
        for (Look each : looks) {
            all.add(each.seen(command.counter(all.size())));
        }
        return all;
    }

    /** Before anything is closed: counters that work go on. */
    private Jump jump() {
        long above = 0;
        for (RealignLook each : seen) {
            long highest = rules.highest(each);
            Refusal full = each.noRoom(highest);
            if (full != null) {
                throw new IdConfigurationException(text.of(each.command().counter(full.place()), full));
            }
            above = Math.max(above, highest);
        }
        RealignLook named = seen.get(0);
        Map<String, Long> last = new LinkedHashMap<>();
        named.source()
                .places()
                .forEach(place -> last.put(
                        servers.get(place).label(),
                        RefusalText.last(named.seen().get(place))));
        return new Jump(last, RealignLook.tokens(named.headers(named.source())), above);
    }
}
