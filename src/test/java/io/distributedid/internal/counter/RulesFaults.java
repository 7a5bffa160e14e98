package io.distributedid.internal.counter;

import static io.distributedid.internal.counter.RuleTables.NONE;

import io.distributedid.internal.counter.CounterRules.Omission;
import io.distributedid.internal.counter.RuleTables.Draw;
import io.distributedid.internal.counter.RuleTables.Header;
import io.distributedid.internal.counter.RuleTables.State;
import io.distributedid.internal.counter.RuleTables.Write;
import io.distributedid.internal.counter.RulesState.Actor;
import io.distributedid.internal.counter.RulesState.Phase;
import io.distributedid.testkit.Explorer.Step;
import java.util.List;

/** What happens to servers, and the one place that says which ids may come twice then. */
record RulesFaults(RulesScenario scenario, Omission omission) {

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

    private static final int OTHER = 10;

    private static final int FOREIGN_TOKEN = 100;

    static int server(int identity) {
        return identity % OTHER - 1;
    }

    void next(List<Step<RulesState>> steps, RulesState state) {
        if (state.absent >= 0) {
            steps.add(new Step<>(() -> "Server " + state.absent + " is back", back(state), null));
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
        for (int server = 0; server < scenario.size(); server++) {
            RuleTables tables = state.servers.get(server);
            int number = tables.row() == null ? 0 : tables.row().number();
            if (tables.counter() > number + CounterRules.FAR) {
                steps.add(new Step<>(() -> "The counter is set right", setRight(state), null));
            }
        }
    }

    private static RulesState back(RulesState state) {
        RulesState after = state.copy();
        if (state.away != null) {
            after.servers.set(state.absent, state.away);
        }
        after.away = null;
        after.absent = -1;
        return after;
    }

    private static RulesState setRight(RulesState state) {
        RulesState after = state.copy();
        after.servers.replaceAll(each -> {
            int number = each.row() == null ? 0 : each.row().number();
            return each.counter() > number + CounterRules.FAR ? each.counter(number) : each;
        });
        return after;
    }

    /** All servers answer, and nothing is on its way. */
    RulesState healed(RulesState state) {
        RulesState after = setRight(state.absent >= 0 ? back(state) : state);
        after.late = null;
        return after;
    }

    private RulesState after(RulesState state, Fault fault, int server) {
        RuleTables now = state.servers.get(server);
        RuleTables old = scenario.origin(server);
        boolean isAway = fault == Fault.DOWN || fault == Fault.EMPTY_SERVER || fault == Fault.FOREIGN_SERVER;
        boolean isEnded =
                state.current >= 0 && !scenario.lists().get(state.current).contains(server);
        boolean isLeftOut = (fault == Fault.OLD_REPLICA && old.header() == null)
                // Each refused draw moves the counter of tickets further.
                || (fault == Fault.COUNTER_AHEAD && scenario.tickets());
        if ((isAway && state.absent >= 0) || isEnded || isLeftOut || isMoved(now)) {
            return null;
        }
        RuleTables empty = RuleTables.empty(now.identity(), scenario.size());
        RuleTables then = switch (fault) {
            case DOWN -> now;
            case COUNTER_GONE -> now.counter(NONE);
            case COUNTER_BACK -> now.counter(Math.min(0, now.counter()));
            case COUNTER_AHEAD -> now.counter(now.counter() + 3 * CounterRules.FAR);
            case ROW_GONE -> now.row(null);
            case ROW_AND_COUNTER_GONE -> now.row(null).counter(NONE);
            case ROW_BACK -> now.row(old.row());
            case HEADER_GONE -> now.header(null);
            case LEDGER_GONE -> empty.counter(now.counter());
            case LEDGER_BACK -> old.counter(now.counter());
            case ALL_GONE -> empty;
            case ALL_BACK -> old;
            case REPLICA -> now.identity(now.identity() + OTHER);
            case OLD_REPLICA -> old.identity(now.identity() + OTHER);
            case EMPTY_SERVER -> empty.identity(now.identity() + OTHER);
            case FOREIGN_SERVER -> foreign(now);
        };
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
        if (fault.breaks) {
            breakConnections(after, server);
        }
        return after;
    }

    private static boolean isMoved(RuleTables now) {
        return now.header() != null && now.header().state() == State.MOVED;
    }

    private RuleTables foreign(RuleTables now) {
        RuleTables empty = RuleTables.empty(now.identity() + OTHER, scenario.size());
        Header header = now.header();
        return header == null
                ? empty
                : empty.header(new Header(
                        RuleTables.version(0, 2, FOREIGN_TOKEN),
                        State.OPEN,
                        FOREIGN_TOKEN,
                        header.size(),
                        header.offset(),
                        List.of(),
                        1,
                        0,
                        -1,
                        0));
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
    private long excused(RulesState state, int server, RuleTables then) {
        RuleTables now = state.servers.get(server);
        boolean hasLost = state.current >= 0 && number(then) < number(now) && then.counter() < now.counter();
        if (!hasLost) {
            return 0;
        }
        int place = now.header() == null ? 0 : now.header().offset() - 1;
        List<RuleTables> others = scenario.lists().get(state.current).stream()
                .filter(each -> each != server)
                .map(state.servers::get)
                .toList();
        int noted = others.stream().map(each -> each.notes().get(place)).reduce(NONE, Math::max);
        int known = others.stream()
                .map(each -> Math.max(
                        Math.max(number(each), scenario.tickets() ? 0 : each.counter()),
                        each.notes().stream().reduce(0, Math::max)))
                .reduce(number(then), Math::max);
        boolean isPlaceLost = then.header() == null && scenario.remembered();
        boolean isNoticed = then.row() == null
                ? !others.isEmpty() || isPlaceLost
                : noted > number(then) || then.row().identity() != then.identity();
        int above = isNoticed ? known + 2 * RulesModel.MAX_DISTANCE : number(then);
        return state.given & -1L << above + 1;
    }

    private static int number(RuleTables tables) {
        return tables.row() == null ? 0 : tables.row().number();
    }

    private void breakConnections(RulesState after, int server) {
        if (after.late instanceof Draw draw && draw.server() == server
                || after.late instanceof Write write && write.server() == server) {
            after.late = null;
        }
        for (int i = 0; i < after.actors.size(); i++) {
            Actor before = after.actors.get(i);
            List<Integer> servers = before.command < 0
                    ? scenario.lists().get(before.list)
                    : scenario.command(before.command, before.id, 0, 0).servers();
            int place = servers.indexOf(server);
            if (place < 0) {
                continue;
            }
            Actor actor = after.change(i);
            actor.ready &= ~(1 << place);
            if (omission == Omission.BROKEN_CONNECTION_ENDS_LOOK) {
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
