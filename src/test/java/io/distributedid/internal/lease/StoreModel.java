package io.distributedid.internal.lease;

import io.distributedid.internal.lease.LeaseProtocol.Rule;
import io.distributedid.internal.lease.StoreRules.Decision;
import io.distributedid.internal.lease.StoreRules.Open;
import io.distributedid.internal.lease.StoreRules.ReadAgain;
import io.distributedid.internal.lease.StoreRules.Reason;
import io.distributedid.internal.lease.StoreRules.Refused;
import io.distributedid.internal.lease.StoreState.Actor;
import io.distributedid.internal.lease.StoreState.Write;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Row.State;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to processes that use worker numbers, to commands of an operator, and to two stores, with
 * the decisions made by {@link StoreRules}, {@link LeaseProtocol} and {@link StoreCommand} themselves. Each step is one
 * look, or one change of a row. Between any two steps others go on, time passes, a {@link StoreLosses loss} happens, a
 * process dies or stops, a command is cut off and run again, or a sender gives up and its request arrives later, twice,
 * or never.
 *
 * <p>Time passes in ticks, for the stores and for monotonic clocks. The clock of a process differs by a number of ticks
 * that never changes.
 *
 * <p>A violation is: a tick of a number that is granted to a second process, other than those that {@link StoreLosses}
 * excuses; a right that is claimed in a store which is not open; two stores that are open; a process that takes another
 * store for its own; a loss that is told where nothing is lost; and that no process gets a right although nothing else
 * happens and the operator runs his commands.
 *
 * <p>Not modelled: reads that show rows of different moments, late creations of a store, and what the application's
 * database remembers of the store.
 */
final class StoreModel {

    final StoreScenario scenario;

    final StorePlanted planted;

    private final StoreCommands operator;

    private final StoreLosses losses;

    private final StoreProgress progress;

    private final int sample;

    private int visited;

    /** @param sample of how many states one is asked whether rights are granted for ever; 0 if none is */
    StoreModel(StoreScenario scenario, StorePlanted planted, int sample) {
        this.scenario = scenario;
        this.planted = planted;
        this.sample = sample;
        this.operator = new StoreCommands(this);
        this.losses = new StoreLosses(scenario);
        this.progress = new StoreProgress(this);
    }

    Explorer.Result explore() {
        boolean areAlike = scenario.clocks().stream().distinct().count() == 1;
        return new Explorer<>(this::next, (StoreState state) -> StoreKey.of(state, areAlike)).explore(scenario.start());
    }

    private List<Step<StoreState>> next(StoreState state) {
        List<Step<StoreState>> steps = new ArrayList<>();
        for (int i = 0; i < state.actors.size(); i++) {
            Actor actor = state.actors.get(i);
            act(steps, state, i);
            if (!actor.writes.isEmpty() && state.mishaps > 0) {
                giveUp(steps, state, i);
            }
            if (actor.command >= 0) {
                operator.cut(steps, state, i);
            } else {
                end(steps, state, i);
            }
        }
        for (int i = 0; i < state.late.size(); i++) {
            arrive(steps, state, i);
        }
        losses.next(steps, state);
        if (state.now < scenario.ticks()) {
            StoreState after = state.copy();
            after.now++;
            steps.add(new Step<>(() -> "Time is " + after.now, after, null));
        }
        String stuck = sample > 0 && visited++ % sample == 0 ? progress.stuck(state) : null;
        if (stuck != null) {
            steps.add(new Step<>(() -> "Nothing else happens", state, stuck));
        }
        return steps;
    }

    String name(StoreState state, int i) {
        Actor actor = state.actors.get(i);
        return (char) ('A' + i)
                + (actor.command < 0
                        ? ""
                        : " (" + actor.id + " "
                                + (actor.command < scenario.commands().size()
                                        ? scenario.commands().get(actor.command)
                                        : "of the end")
                                + ")");
    }

    /** What a process or a command does next if it is not held up. */
    void act(List<Step<StoreState>> steps, StoreState state, int i) {
        Actor actor = state.actors.get(i);
        if (!actor.writes.isEmpty()) {
            steps.add(write(state, i));
        } else if (actor.command >= 0) {
            if (!actor.isEnded) {
                steps.add(operator.look(state, i));
            }
        } else {
            look(steps, state, i, state.stores.get(actor.place), true);
            if (scenario.isStale() && state.copy != null && !state.copy.equals(state.stores.get(actor.place))) {
                look(steps, state, i, state.copy, planted == StorePlanted.STALE_IS_LOSS);
            }
            Lease held = actor.lease.held();
            if (held != null && held.isConfirmed() && actor.lease.sent() == null && isDue(state, actor)) {
                Row header = actor.known.rows().get(StoreHeader.NAME);
                StoreState after = state.copy();
                renew(after, i, new StoreHeader(header));
                steps.add(new Step<>(() -> name(state, i) + " does not read, and renews", after, null));
            }
        }
    }

    private static Page page(Map<String, Row> store, Collection<String> names, long time) {
        Map<String, Row> rows = new HashMap<>();
        names.forEach(name -> rows.computeIfAbsent(name, store::get));
        return new Page(rows, time);
    }

    private Set<String> asked(Actor actor) {
        Set<String> names = new LinkedHashSet<>(Set.of(StoreHeader.NAME));
        if (actor.lease.held() == null) {
            LongStream.range(0, scenario.numbers())
                    .mapToObj(StoreHeader::worker)
                    .forEach(names::add);
        } else {
            names.add(actor.lease.held().row().name());
        }
        return names;
    }

    private void look(
            List<Step<StoreState>> steps, StoreState state, int i, Map<String, Row> store, boolean isSynchronised) {
        look(steps, state, i, store, isSynchronised, asked(state.actors.get(i)));
    }

    private void look(
            List<Step<StoreState>> steps,
            StoreState state,
            int i,
            Map<String, Row> store,
            boolean isSynchronised,
            Set<String> asked) {
        StoreState after = state.copy();
        Actor actor = after.change(i);
        Page page = page(store, asked, state.time());
        Known known = planted.known(actor.known.of(asked(actor)), page);
        Decision decision = StoreRules.decide(
                planted.shown(page),
                asked,
                known,
                planted == StorePlanted.OPENED_ELSEWHERE ? "" : state.servers.get(actor.place),
                isSynchronised,
                scenario.terms(),
                after.fresh());
        Decision then = planted.decided(decision, page, actor);
        if (then != decision && planted.isBelievedToBeTold()) {
            losses.told(after);
        }
        decision = then;
        Supplier<String> looks =
                () -> name(state, i) + (store == state.stores.get(actor.place) ? " looks" : " looks at an old copy");
        if (decision instanceof ReadAgain again) {
            if (isSynchronised) {
                Set<String> all = new LinkedHashSet<>(asked);
                all.addAll(again.more());
                look(steps, state, i, store, true, all);
            }
            return;
        }
        if (decision instanceof StoreRules.Write write) {
            settle(after, actor, page, null);
            actor.writes = write.changes().stream()
                    .map(change -> new Write(actor.place, change))
                    .toList();
            if (!write.lost().isEmpty()) {
                Actor other = new Actor();
                other.learn(page.rows().values());
                actor.told = other.known;
            } else {
                actor.learn(page.rows().values());
            }
            boolean isCalm = !write.lost().isEmpty()
                    && state.faults == scenario.faults()
                    && scenario.commands().isEmpty();
            steps.add(new Step<>(
                    () -> looks.get() + (!write.lost().isEmpty() ? ", finds a loss" : "") + ", and writes "
                            + write.changes(),
                    after,
                    isCalm ? "A false alarm: nothing is lost" : null));
            return;
        }
        if (decision instanceof Refused refused) {
            boolean isOther = refused.reason() == Reason.OTHER_STORE || refused.reason() == Reason.NEVER_USED;
            String violation = null;
            if (!isOther) {
                actor.learn(page.rows().values());
                StoreHeader header = new StoreHeader(page.rows().get(StoreHeader.NAME));
                violation = settle(after, i, page, planted == StorePlanted.CONFIRMED_WHILE_REFUSED ? header : null);
                Lease held = actor.lease.held();
                boolean isRenewed = held != null
                        && (held.isConfirmed() || planted == StorePlanted.CONFIRMED_WHILE_REFUSED)
                        && isDue(after, actor);
                if (isRenewed && actor.lease.sent() == null) {
                    renew(after, i, header);
                } else {
                    repeat(after, actor);
                }
            }
            steps.add(new Step<>(() -> looks.get() + ", and is refused: " + refused.reason(), after, violation));
            return;
        }
        open(steps, after, i, page, ((Open) decision).header(), looks);
    }

    /** What follows from a look at an open store. */
    private void open(
            List<Step<StoreState>> steps,
            StoreState after,
            int i,
            Page page,
            StoreHeader header,
            Supplier<String> looks) {
        Actor actor = after.actors.get(i);
        Row before = actor.known.rows().get(StoreHeader.NAME);
        boolean isOther = before != null && !new StoreHeader(before).token().equals(header.token());
        actor.learn(page.rows().values());
        String violation = settle(after, i, page, header);
        if (isOther) {
            violation = "Another store is taken for the own one";
        }
        List<Change> more = StoreRules.more(
                header,
                page(after.stores.get(actor.place), allNames(), after.time()),
                0,
                scenario.numbers() - 1L,
                after.fresh());
        Lease held = actor.lease.held();
        if (!more.isEmpty() && held == null) {
            actor.writes =
                    more.stream().map(change -> new Write(actor.place, change)).toList();
            steps.add(new Step<>(() -> looks.get() + ", and writes " + more, after, violation));
            return;
        }
        if (held != null && actor.lease.sent() == null && (!held.isConfirmed() || isDue(after, actor))) {
            renew(after, i, header);
        } else {
            repeat(after, actor);
        }
        steps.add(new Step<>(
                () -> looks.get() + ": it is open" + (actor.used == null ? "" : ", uses " + text(actor.used))
                        + (actor.isAsking ? ", and asks for more" : ""),
                after,
                violation));
        if (held != null || actor.isAsking || violation != null) {
            return;
        }
        long clock = clock(after, i);
        long time = Math.min(clock, page.time());
        LeaseProtocol protocol = protocol(header.window());
        for (Row row : page.rows().values()) {
            boolean isCounted = !row.name().equals(StoreHeader.NAME) && StoreState.number(row) < header.workers();
            if (isCounted && protocol.mayClaim(actor.lease, row, time, mono(after))) {
                StoreState claims = after.copy();
                long bound = Math.max(row.number(), clock) + header.window();
                LeaseRequest request =
                        protocol.claim(row, header.version(), clock, bound, "A" + i, claims.fresh(), mono(after));
                ask(claims.change(i), request);
                steps.add(new Step<>(() -> looks.get() + ", and claims " + text(request.lease()), claims, null));
            }
        }
    }

    private Set<String> allNames() {
        Set<String> names = new LinkedHashSet<>(Set.of(StoreHeader.NAME));
        LongStream.range(0, scenario.numbers()).mapToObj(StoreHeader::worker).forEach(names::add);
        return names;
    }

    private static String text(Lease lease) {
        return lease.row().name() + " from " + lease.from() + " to " + lease.bound();
    }

    private long clock(StoreState state, int i) {
        return state.time() + (i < scenario.clocks().size() ? scenario.clocks().get(i) * StoreState.TICK : 0);
    }

    private static long mono(StoreState state) {
        return state.time();
    }

    /** By the monotonic clock a right lasts as long as a window. */
    private static LeaseProtocol protocol(long window) {
        return new LeaseProtocol(Rule.WINDOW_OVER, window);
    }

    private static LeaseProtocol protocol(Lease held) {
        return protocol(
                held.row().text().get(LeaseProtocol.LEASE).map(Long::parseLong).orElseThrow());
    }

    private static boolean isDue(StoreState state, Actor actor) {
        return protocol(actor.lease.held()).isDue(actor.lease, mono(state));
    }

    private void renew(StoreState after, int i, StoreHeader header) {
        Actor actor = after.change(i);
        long clock = clock(after, i);
        long window = header.window();
        ask(
                actor,
                protocol(window)
                        .renew(
                                actor.lease.held(),
                                header.version(),
                                clock,
                                clock + window,
                                "A" + i,
                                after.fresh(),
                                mono(after)));
    }

    private static void repeat(StoreState after, Actor actor) {
        LeaseRequest sent = actor.lease.sent();
        if (sent != null && protocol(1_000).isRepeated(actor.lease, after.time())) {
            ask(actor, sent);
        } else if (sent != null) {
            actor.lease = actor.lease.forgetting();
        }
    }

    private static void ask(Actor actor, LeaseRequest request) {
        actor.lease = actor.lease.sending(request);
        actor.writes = List.of(new Write(actor.place, request.change()));
        actor.isAsking = true;
    }

    /** What a process knows of its right after a read. */
    private @Nullable String settle(StoreState after, int i, Page page, @Nullable StoreHeader header) {
        Actor actor = after.actors.get(i);
        LeaseState next = protocolOf(actor)
                .read(actor.lease, page.rows(), header == null ? null : header.version(), clock(after, i), mono(after));
        return learn(after, i, next);
    }

    private void settle(StoreState after, Actor actor, Page page, @Nullable StoreHeader header) {
        String violation = settle(after, after.actors.indexOf(actor), page, header);
        if (violation != null) {
            throw new IllegalStateException(violation);
        }
    }

    private static LeaseProtocol protocolOf(Actor actor) {
        Lease held = actor.lease.held();
        return held == null ? protocol(1_000) : protocol(held);
    }

    /** The process goes on with this state, and uses what is confirmed. */
    private @Nullable String learn(StoreState after, int i, LeaseState next) {
        Actor actor = after.actors.get(i);
        Lease held = next.held();
        Lease before = actor.used;
        actor.lease = planted.held(next);
        held = actor.lease.held();
        if (held == null) {
            actor.used = null;
        }
        if (held == null || !held.isConfirmed() || held.equals(before)) {
            return null;
        }
        actor.used = held;
        StoreHeader header = after.header(actor.place);
        boolean isClaimed =
                before == null || !before.row().name().equals(held.row().name());
        if (isClaimed && (header == null || header.state() != State.OPEN)) {
            return "A right is claimed in a store that is not open: " + text(held);
        }
        return grant(after, i, held, isClaimed || before == null ? held.from() : Math.max(held.from(), before.bound()));
    }

    private @Nullable String grant(StoreState after, int i, Lease lease, long from) {
        int number = StoreState.number(lease.row());
        int[] ticks = after.changeOwners(number);
        int first = (int) (from / StoreState.TICK);
        int end = (int) (lease.bound() / StoreState.TICK);
        int before = from > lease.from() ? ticks[first - 1] : StoreState.FREE;
        boolean isExcused = losses.isExcused(after, after.actors.get(i), before);
        String violation = null;
        boolean isUntold = false;
        for (int tick = Math.max(0, first); tick < Math.min(end, ticks.length); tick++) {
            int owner = ticks[tick];
            isUntold |= owner >= StoreState.UNTOLD;
            if (owner == StoreState.FREE) {
                ticks[tick] = i + 1;
            } else if (owner < StoreState.UNTOLD && owner != StoreState.EXCUSED && owner != i + 1) {
                violation = "Tick " + tick + " of number " + number + " was granted before to "
                        + (owner == StoreState.GONE ? "one who is gone" : (char) ('A' + owner - 1));
            }
        }
        for (int tick = 0; tick < ticks.length; tick++) {
            if ((isUntold && ticks[tick] >= StoreState.UNTOLD) || (isExcused && first <= tick && tick < end)) {
                ticks[tick] = StoreState.EXCUSED;
            }
        }
        return isExcused ? null : violation;
    }

    private Step<StoreState> write(StoreState state, int i) {
        StoreState after = state.copy();
        Actor actor = after.change(i);
        Write write = actor.writes.get(0);
        boolean done = after.write(write);
        String violation = done ? written(after, write) : null;
        String heard = hear(after, i, done);
        return new Step<>(
                () -> name(state, i) + (done ? " does " : " is refused ") + text(write),
                after,
                violation == null ? heard : violation);
    }

    private static String text(Write write) {
        return "at " + StoreScenario.name(write.place()) + " " + write.change().next();
    }

    /** The answer arrives. */
    private @Nullable String hear(StoreState after, int i, boolean done) {
        Actor actor = after.actors.get(i);
        Write write = actor.writes.get(0);
        boolean isHeader = write.change().name().equals(StoreHeader.NAME);
        actor.writes = actor.writes.subList(1, actor.writes.size());
        if (actor.command >= 0) {
            operator.hear(actor, done);
            return null;
        }
        if (!done) {
            actor.rest();
            return null;
        }
        if (actor.told != null && isHeader) {
            actor.known = actor.told;
            actor.told = null;
        }
        actor.learn(List.of(write.change().next()));
        if (!actor.isAsking) {
            return null;
        }
        actor.isAsking = false;
        return learn(after, i, planted.done(protocolOf(actor), actor.lease, clock(after, i), mono(after)));
    }

    /** What follows from a change that was done, for the judge. */
    @Nullable
    String written(StoreState after, Write write) {
        if (!write.change().name().equals(StoreHeader.NAME)) {
            return null;
        }
        StoreHeader header = new StoreHeader(write.change().next());
        StoreHeader other = after.header(1 - write.place());
        boolean isTooLate = header.state() == State.MOVED && (isOpen(other) || isBeingOpened(after, 1 - write.place()));
        boolean isOfACommand = !header.command().isEmpty();
        if (write.place() == 0 && header.lost() > 0 && !isTooLate && (after.away == null || !isOfACommand)) {
            losses.told(after);
        }
        boolean areBothOpen = isOpen(header) && isOpen(other) && after.away == null;
        return areBothOpen && !operator.isSaid(after) ? "Two stores are open" : null;
    }

    private static boolean isOpen(@Nullable StoreHeader header) {
        return header != null && header.state() == State.OPEN;
    }

    /** Whether a command has looked, and goes on to open a store. */
    private static boolean isBeingOpened(StoreState state, int place) {
        return Stream.concat(state.actors.stream().flatMap(actor -> actor.writes.stream()), state.late.stream())
                .anyMatch(write -> write.place() == place
                        && write.change().name().equals(StoreHeader.NAME)
                        && write.change().next().state() == State.OPEN);
    }

    /** The sender hears nothing: the request is done, or arrives later, or never. */
    private void giveUp(List<Step<StoreState>> steps, StoreState state, int i) {
        Write write = state.actors.get(i).writes.get(0);
        StoreState done = state.copy();
        done.mishaps--;
        Actor sender = done.change(i);
        sender.rest();
        if (done.write(write)) {
            String violation = written(done, write);
            steps.add(
                    new Step<>(() -> name(state, i) + " hears nothing, but is done: " + text(write), done, violation));
        }
        StoreState later = state.copy();
        later.mishaps--;
        later.change(i).rest();
        later.late = new ArrayList<>(state.late);
        later.late.add(write);
        steps.add(new Step<>(() -> name(state, i) + " gives up " + text(write), later, null));
        StoreState twice = state.copy();
        twice.mishaps--;
        twice.late = later.late;
        steps.add(new Step<>(() -> "A request is doubled: " + text(write), twice, null));
    }

    private void arrive(List<Step<StoreState>> steps, StoreState state, int index) {
        StoreState after = state.copy();
        Write write = after.late.get(index);
        after.late = new ArrayList<>(state.late);
        after.late.remove(index);
        boolean done = after.write(write);
        String violation = done ? written(after, write) : null;
        steps.add(new Step<>(() -> (done ? "Late arrives " : "Late is refused ") + text(write), after, violation));
    }

    private void end(List<Step<StoreState>> steps, StoreState state, int i) {
        Actor actor = state.actors.get(i);
        boolean isFresh = actor.writes.isEmpty() && actor.known.rows().isEmpty();
        if (isFresh || state.mishaps == 0) {
            return;
        }
        StoreState dies = state.copy();
        dies.mishaps--;
        dies.gone(i);
        dies.actors.set(i, StoreScenario.process(actor.place));
        steps.add(new Step<>(() -> name(state, i) + " dies, and starts again", dies, null));
        if (actor.used == null) {
            return;
        }
        long unused = clock(state, i) + StoreState.TICK;
        StoreState stops = state.copy();
        stops.mishaps--;
        LeaseProtocol.handBack(actor.lease, unused, stops.fresh()).ifPresent(change -> {
            int[] ticks = stops.changeOwners(StoreState.number(change.next()));
            int first = (int) Math.max(change.next().number(), actor.used.from()) / (int) StoreState.TICK;
            for (int tick = first; tick < ticks.length; tick++) {
                ticks[tick] = ticks[tick] % StoreState.UNTOLD == i + 1 ? StoreState.FREE : ticks[tick];
            }
            stops.gone(i);
            stops.actors.set(i, StoreScenario.process(actor.place));
            stops.write(new Write(actor.place, change));
            steps.add(new Step<>(
                    () -> name(state, i) + " stops, hands back " + change.next() + ", and starts again", stops, null));
        });
    }

    static Row free(String name, String random) {
        return Change.create(name, random, 0, State.NONE, Fields.NONE).next();
    }
}
