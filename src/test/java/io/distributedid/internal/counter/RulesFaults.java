package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RulesScenario.COUNTER;

import io.distributedid.internal.counter.Header.State;
import io.distributedid.internal.counter.MemoryTables.Stored;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.internal.ledger.Version;
import io.distributedid.testkit.Explorer.Step;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** What happens to servers, and the one place that says which ids may come twice then. */
record RulesFaults(RulesScenario scenario, Planted planted) {

    /** The older copy is what the server held at the start. */
    enum Fault {
        DOWN(true),
        COUNTER_GONE(false),
        COUNTER_BACK(false),
        COUNTER_AHEAD(false),
        ROW_GONE(false),
        ROW_AND_COUNTER_GONE(false),
        ROW_BACK(true),
        HEADER_GONE(false),
        LEDGER_GONE(false),
        LEDGER_BACK(true),
        ALL_GONE(true),
        ALL_BACK(true),
        REPLICA(true),
        OLD_REPLICA(true),
        /** The address leads to a replica for a while. */
        BRIEF_REPLICA(true),
        /** An empty server stands in its place for good. */
        REPLACED(true),
        /** The address leads to an empty server for a while. */
        EMPTY_SERVER(true),
        /** The address leads to a server of another place for a while. */
        FOREIGN_SERVER(true);

        private final boolean breaks;

        /** @param breaks whether connections break: so they do if a dump is loaded while no client runs */
        Fault(boolean breaks) {
            this.breaks = breaks;
        }
    }

    /** Nothing is raised by itself further than this above all that is known. */
    static final int FAR = 1_000 * RulesModel.MAX_DISTANCE;

    private static final int OTHER = 10;

    private static final String FOREIGN_TOKEN = "100";

    static int server(String identity) {
        return Integer.parseInt(identity) % OTHER - 1;
    }

    private static String other(MemoryTables tables) {
        return Integer.toString(Integer.parseInt(tables.identity()) + OTHER);
    }

    void next(List<Step<RulesState>> steps, RulesState state) {
        if (state.absent >= 0) {
            steps.add(new Step<>(() -> "Server " + state.absent + " is back", back(state), null));
        }
        if (state.servers.stream().anyMatch(RulesFaults::isFar)) {
            steps.add(new Step<>(() -> "The counter is set right", setRight(state), null));
        }
        if (state.faults == 0) {
            return;
        }
        for (Fault fault : scenario.faults()) {
            for (int server = 0; server < scenario.size(); server++) {
                RulesState after = after(state, fault, server);
                if (after != null) {
                    int where = server;
                    steps.add(new Step<>(() -> fault + " on server " + where, after, null));
                }
            }
        }
    }

    private RulesState back(RulesState state) {
        RulesState after = state.copy();
        after.away = null;
        after.absent = -1;
        if (state.away != null) {
            after.servers.set(state.absent, state.away);
        }
        if (state.away != null && scenario.faults().contains(Fault.BRIEF_REPLICA)) {
            after.excused |= excused(state, state.absent, state.away);
            after.strangers |= 1 << state.absent;
            after.raises = 0;
            breakConnections(after, state.absent);
        }
        return after;
    }

    private static boolean isFar(MemoryTables tables) {
        return counter(tables) > number(tables) + FAR;
    }

    private static RulesState setRight(RulesState state) {
        RulesState after = state.copy();
        after.servers.replaceAll(each -> isFar(each) ? counter(each, number(each)) : each);
        return after;
    }

    /** All servers answer, and nothing is on its way. */
    RulesState healed(RulesState state) {
        RulesState after = setRight(state.absent >= 0 ? back(state) : state);
        after.late = null;
        return after;
    }

    private @Nullable RulesState after(RulesState state, Fault fault, int server) {
        MemoryTables now = state.servers.get(server);
        MemoryTables old = scenario.origin(server);
        boolean isAway = fault == Fault.DOWN
                || fault == Fault.BRIEF_REPLICA
                || fault == Fault.EMPTY_SERVER
                || fault == Fault.FOREIGN_SERVER;
        boolean isEnded =
                state.current >= 0 && !scenario.lists().get(state.current).contains(server);
        boolean isLeftOut = (fault == Fault.OLD_REPLICA && old.header(COUNTER) == null)
                // Each refused draw moves the counter of tickets further.
                || (fault == Fault.COUNTER_AHEAD && scenario.tickets());
        Header header = now.header(COUNTER);
        boolean isMoved = header != null && header.state() == State.MOVED;
        if ((isAway && state.absent >= 0) || isEnded || isLeftOut || isMoved) {
            return null;
        }
        MemoryTables then = then(fault, now, old);
        if (then.equals(now) && fault != Fault.DOWN) {
            return null;
        }
        RulesState after = state.copy();
        after.faults--;
        after.servers.set(server, then);
        if (isAway) {
            after.absent = server;
            after.away = fault == Fault.DOWN ? null : now;
        } else {
            after.excused |= excused(state, server, then);
        }
        after.strangers |= then.identity().equals(now.identity()) ? 0 : 1 << server;
        if (fault.breaks) {
            breakConnections(after, server);
        }
        return after;
    }

    private MemoryTables then(Fault fault, MemoryTables now, MemoryTables old) {
        MemoryTables empty = scenario.empty(now.identity());
        Stored stored = now.stored(COUNTER);
        return switch (fault) {
            case DOWN -> now;
            case COUNTER_GONE -> counter(now, -1);
            case COUNTER_BACK -> counter(now, Math.min(0, counter(now)));
            case COUNTER_AHEAD -> counter(now, counter(now) + 3 * FAR);
            case ROW_GONE -> now.with(COUNTER, stored.withRow(null));
            case ROW_AND_COUNTER_GONE -> counter(now.with(COUNTER, stored.withRow(null)), -1);
            case ROW_BACK -> now.with(COUNTER, stored.withRow(old.row(COUNTER)));
            case HEADER_GONE -> now.withHeader(COUNTER, null);
            case LEDGER_GONE -> counter(empty, counter(now));
            case LEDGER_BACK -> counter(old, counter(now));
            case ALL_GONE -> empty;
            case ALL_BACK -> old;
            case REPLICA, BRIEF_REPLICA -> now.withIdentity(other(now));
            case OLD_REPLICA -> old.withIdentity(other(now));
            case EMPTY_SERVER, REPLACED -> scenario.empty(other(now));
            case FOREIGN_SERVER -> foreign(now);
        };
    }

    private static int number(MemoryTables tables) {
        CounterRow row = tables.row(COUNTER);
        return row == null ? 0 : (int) row.number();
    }

    /** The last id that was drawn; -1 if there is no counter. */
    private static int counter(MemoryTables tables) {
        return (int) tables.stored(COUNTER).counter().orElse(-1);
    }

    private static MemoryTables counter(MemoryTables tables, int counter) {
        OptionalLong changed = counter < 0 ? OptionalLong.empty() : OptionalLong.of(counter);
        return tables.with(COUNTER, tables.stored(COUNTER).withCounter(changed));
    }

    private MemoryTables foreign(MemoryTables now) {
        MemoryTables empty = scenario.empty(other(now));
        Header header = now.header(COUNTER);
        return header == null
                ? empty
                : empty.withHeader(
                        COUNTER,
                        new Header(
                                new Version(2, FOREIGN_TOKEN),
                                State.OPEN,
                                FOREIGN_TOKEN,
                                header.numbering(),
                                header.members().stream()
                                        .map(each -> Integer.toString(Integer.parseInt(each) + OTHER))
                                        .toList(),
                                1,
                                "",
                                "",
                                ""));
    }

    /**
     * Ids that may come twice: what a server gave, of which neither it nor any other holds a trace.
     *
     * <ul>
     *   <li>If another server notes an id that the older copy lacks, or the copy has another identity or none of its
     *       rows, the loss is noticed. Ids that lie more than twice the distance above everything known may come twice.
     *   <li>Else nobody notices, and all ids that the copy lacks may come twice. A process that knows more notices it,
     *       but others may draw before it does.
     * </ul>
     */
    private long excused(RulesState state, int server, MemoryTables then) {
        MemoryTables now = state.servers.get(server);
        boolean hasLost = state.current >= 0 && number(then) < number(now) && counter(then) < counter(now);
        if (!hasLost) {
            return 0;
        }
        Header header = now.header(COUNTER);
        long offset = header == null ? 1 : header.numbering().offset();
        List<MemoryTables> others = scenario.lists().get(state.current).stream()
                .filter(each -> each != server)
                .map(state.servers::get)
                .toList();
        long noted = others.stream()
                .map(each -> each.stored(COUNTER).notes().getOrDefault(offset, -1L))
                .reduce(-1L, Math::max);
        long known = others.stream().map(this::reached).reduce((long) number(then), Math::max);
        boolean isPlaceLost = then.header(COUNTER) == null && scenario.remembered();
        CounterRow row = then.row(COUNTER);
        boolean isNoticed = row == null
                ? !others.isEmpty() || isPlaceLost
                : noted > number(then) || !row.identity().equals(then.identity());
        long above = isNoticed ? known + 2 * RulesModel.MAX_DISTANCE : number(then);
        return state.given & -1L << above + 1;
    }

    private long reached(MemoryTables tables) {
        long last = Math.max(number(tables), scenario.tickets() ? 0 : counter(tables));
        return tables.stored(COUNTER).notes().values().stream().reduce(last, Math::max);
    }

    private void breakConnections(RulesState after, int server) {
        if (after.late != null && after.late.server() == server) {
            after.late = null;
        }
        for (int i = 0; i < after.actors.size(); i++) {
            int place = scenario.servers(after.actors.get(i)).indexOf(server);
            if (place < 0) {
                continue;
            }
            Actor actor = after.change(i);
            actor.ready &= ~(1 << place);
            if (planted == Planted.BROKEN_CONNECTION_ENDS_LOOK) {
                continue;
            }
            if (actor.at >= 0) {
                actor.rest();
            } else if (!actor.writes.isEmpty()) {
                actor.rest();
                actor.phase = actor.command < 0 || actor.phase == Phase.SEALS ? actor.phase : Phase.REFUSED;
            }
        }
    }
}
