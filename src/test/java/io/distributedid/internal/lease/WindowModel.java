package io.distributedid.internal.lease;

import io.distributedid.internal.lease.LeaseProtocol.Rule;
import io.distributedid.internal.lease.WindowModelState.Message;
import io.distributedid.internal.lease.WindowModelState.Process;
import io.distributedid.internal.lease.WindowModelState.Talk;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.LedgerMemory.Known;
import io.distributedid.internal.ledger.Page;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Verdict;
import io.distributedid.internal.ledger.Version;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Everything that can happen to a few processes that use worker numbers, a store that loses nothing, and the network
 * between them, with the decisions made by {@link LeaseProtocol} itself, by the rule {@link Rule#WINDOW_OVER}.
 *
 * <p>Each reading of a clock may have any value: clocks are set forward and back between any two steps. After any step
 * a process may be suspended for any time, and then go on, stop or die. An answer may come in time for the lease or too
 * late for it. A message takes any time to arrive, also when its sender has long given up or is dead, and its answer
 * may be lost.
 *
 * <p>Of each (number, tick) the model knows the owner: who was granted it and may have put it into an id. To grant it
 * to a second one is a violation, and so is an id of one who does not own it, or the belief that the store has
 * forgotten something.
 *
 * @param numbers how many worker numbers there are
 * @param window how far ahead of the clock a window ends
 * @param times clocks show 0 to below this
 */
record WindowModel(int numbers, int window, int processes, int times, Fault fault) {

    /** What is broken on purpose. */
    enum Fault {
        NONE,
        /** The store writes whatever the row is. */
        NO_COMPARISON,
        /** A process that gets no answer takes it for "done". */
        SILENCE_IS_CONSENT,
        /** A process that takes a number over begins at its own clock. */
        CLOCK_IS_TRUSTED,
        /** A process uses time that it has handed back. */
        USED_AFTER_HANDING_BACK,
        /** The store loses a row. */
        STORE_FORGETS,
        /** Two copies of a process go on, as of a virtual machine that is copied while it runs. */
        MEMORY_IS_COPIED,
        /** The same, but only once, and the window that it held or had requested at that moment does not count. */
        MEMORY_IS_COPIED_BUT_EXCUSED,
        /** Two copies go on, and both first drop what they hold. Breaks nothing. */
        COPIES_BEGIN_ANEW,
        /** Two copies go on; one first drops what it holds, and the other never does. Breaks nothing. */
        ONE_COPY_BEGINS_ANEW,
        /** The same, but it hands back what it drops. */
        ONE_COPY_HANDS_BACK
    }

    private static final LeaseProtocol PROTOCOL = new LeaseProtocol(Rule.WINDOW_OVER, 100);

    /** Nothing is lost here, so the store's header never changes. */
    private static final Version HEADER = Version.first("header");

    /** After the lease is over, which begins at 0. */
    private static final long LATE = 100;

    /** The most messages on the way whose sender has given up. */
    private static final int ORPHANS = 1;

    /** Explores all states. */
    Explorer.Result explore() {
        return new Explorer<>(this::next, WindowModelState::key)
                .explore(WindowModelState.initial(processes, numbers, times + window + 2));
    }

    private List<Step<WindowModelState>> next(WindowModelState state) {
        List<Step<WindowModelState>> steps = new ArrayList<>();
        String token = state.freshToken();
        boolean roomForOrphan = state.messagesOfNobody() < ORPHANS;
        for (int process = 0; process < processes; process++) {
            Process who = state.processes().get(process);
            if (who.talk() == Talk.NOTHING) {
                ask(steps, state, process, token);
            }
            if (who.talk() == Talk.DONE || who.talk() == Talk.REFUSED) {
                hear(steps, state, process);
            }
            if (who.talk() == Talk.DONE || (who.talk() == Talk.WAITING && roomForOrphan)) {
                giveUp(steps, state, process);
            }
            if (who.published() != null) {
                compose(steps, state, process);
            }
            if (!who.equals(Process.NEW) && roomForOrphan) {
                die(steps, state, process);
                stop(steps, state, process, token);
            }
            copy(steps, state, process);
            beginAnew(steps, state, process, token);
        }
        for (int message = 0; message < state.network().size(); message++) {
            arrive(steps, state, message);
        }
        for (int worker = 0; worker < state.rows().size() && fault == Fault.STORE_FORGETS; worker++) {
            Row free = WindowModelState.free(worker, token);
            steps.add(new Step<>(() -> "The store loses a row", state.row(free), null));
        }
        return steps;
    }

    /** Reads the store, looks at the clock, and settles or sends a request. */
    private void ask(List<Step<WindowModelState>> steps, WindowModelState state, int process, String token) {
        LeaseState known = state.processes().get(process).known();
        Map<String, Row> rows = state.rows().stream().collect(Collectors.toMap(Row::name, row -> row));
        LeaseState settled = PROTOCOL.read(known, rows, HEADER, Long.MIN_VALUE, 0);
        if (!settled.equals(known)) {
            steps.add(learn(() -> name(process) + " reads the store", state, process, settled, alarm(known, rows)));
            LeaseState late = PROTOCOL.read(known, rows, HEADER, Long.MIN_VALUE, LATE);
            if (!late.equals(settled)) {
                steps.add(learn(() -> name(process) + " reads the store late", state, process, late, null));
            }
            if (known.held() != null && known.sent() == null) {
                renew(steps, state, process, token);
            }
        } else if (known.held() != null && known.sent() == null) {
            renew(steps, state, process, token);
        } else {
            claim(steps, state, process, token);
        }
    }

    private @Nullable String alarm(LeaseState known, Map<String, Row> rows) {
        boolean isKnown = fault == Fault.NONE && known.held() != null;
        Known memory = new Known(
                isKnown ? Map.of(known.held().row().name(), known.held().row()) : Map.of());
        return memory.judge(new Page(rows, 0), rows.keySet(), true) instanceof Verdict.Fine
                ? null
                : "A false alarm: nothing is forgotten";
    }

    /** Sends a renewal, with or without a read before: it depends on nothing that the store says. */
    private void renew(List<Step<WindowModelState>> steps, WindowModelState state, int process, String token) {
        Lease held = state.processes().get(process).known().held();
        // A renewal that comes earlier changes less.
        for (int clock = (int) Math.max(0, held.bound() - window / 2); clock < times; clock++) {
            LeaseRequest request = PROTOCOL.renew(held, HEADER, clock, clock + window, name(process), token, 0);
            steps.add(sent(() -> name(process) + " renews by " + text(request), state, process, request));
        }
    }

    /** Repeats a request, or claims a row. */
    private void claim(List<Step<WindowModelState>> steps, WindowModelState state, int process, String token) {
        LeaseState known = state.processes().get(process).known();
        for (int clock = 0; clock < times; clock++) {
            // Where the store's clock matters only the earlier of the two does.
            int firstStoreTime = known.held() == null ? 0 : clock;
            for (int storeTime = firstStoreTime; storeTime <= clock; storeTime++) {
                if (PROTOCOL.isRepeated(known, storeTime)) {
                    LeaseRequest request = known.sent();
                    steps.add(sent(() -> name(process) + " repeats " + text(request), state, process, request));
                    continue;
                }
                int time = storeTime;
                for (Row row : state.rows()) {
                    if (PROTOCOL.mayClaim(known, row, time, 0)) {
                        LeaseRequest request = claim(row, clock, name(process), token);
                        steps.add(sent(
                                () -> name(process) + " reads the store at " + time + ", and claims by "
                                        + text(request),
                                state,
                                process,
                                request));
                    }
                }
            }
        }
    }

    private LeaseRequest claim(Row row, long clock, String owner, String token) {
        long bound = Math.max(row.number(), clock) + window;
        LeaseRequest request = PROTOCOL.claim(row, HEADER, clock, bound, owner, token, 0);
        Lease lease = request.lease();
        return fault == Fault.CLOCK_IS_TRUSTED
                ? new LeaseRequest(request.change(), new Lease(lease.row(), clock, 0, HEADER))
                : request;
    }

    private static String text(LeaseRequest request) {
        return request.name() + " from " + request.lease().from() + " to "
                + request.lease().bound();
    }

    private static Step<WindowModelState> sent(
            Supplier<String> label, WindowModelState state, int process, LeaseRequest request) {
        Process who = state.processes().get(process);
        Process waiting = new Process(who.known().sending(request), who.published(), Talk.WAITING, who.unused());
        return new Step<>(label, state.with(process, waiting).sent(process, request.change()), null);
    }

    /** A message arrives at the store. */
    private void arrive(List<Step<WindowModelState>> steps, WindowModelState state, int index) {
        Message message = state.network().get(index);
        Change change = message.change();
        Row row = state.row(change.name());
        boolean done = change.expected().equals(Optional.of(row.version())) || fault == Fault.NO_COMPARISON;
        WindowModelState after = (done ? state.row(change.next()) : state).arrived(index);
        if (message.to() != WindowModelState.NOBODY) {
            Process who = after.processes().get(message.to());
            after = after.with(message.to(), who.talking(done ? Talk.DONE : Talk.REFUSED));
        }
        steps.add(new Step<>(() -> "The store " + (done ? "does " : "refuses ") + change.next(), after, null));
    }

    private void hear(List<Step<WindowModelState>> steps, WindowModelState state, int process) {
        Process who = state.processes().get(process);
        Supplier<String> label =
                () -> name(process) + " hears that it was " + (who.talk() == Talk.DONE ? "done" : "refused");
        if (who.talk() == Talk.REFUSED) {
            steps.add(new Step<>(label, state.with(process, who.talking(Talk.NOTHING)), null));
            return;
        }
        LeaseState inTime = PROTOCOL.done(who.known(), Long.MIN_VALUE, 0);
        LeaseState late = PROTOCOL.done(who.known(), Long.MIN_VALUE, LATE);
        steps.add(learn(label, state, process, inTime, null));
        if (!late.equals(inTime)) {
            steps.add(learn(() -> label.get() + ", too late", state, process, late, null));
        }
    }

    private void giveUp(List<Step<WindowModelState>> steps, WindowModelState state, int process) {
        Process who = state.processes().get(process);
        Supplier<String> label = () -> name(process) + " gets no answer";
        WindowModelState after = state.givenUp(process);
        steps.add(
                fault == Fault.SILENCE_IS_CONSENT
                        ? learn(label, after, process, PROTOCOL.done(who.known(), Long.MIN_VALUE, 0), null)
                        : new Step<>(label, after.with(process, who.talking(Talk.NOTHING)), null));
    }

    /** The process goes on with this state, owns what it grants, and uses it if that is confirmed. */
    private static Step<WindowModelState> learn(
            Supplier<String> label, WindowModelState state, int process, LeaseState known, @Nullable String alarm) {
        Process who = state.processes().get(process);
        Lease before = who.known().held();
        Lease lease = known.held();
        Lease published = lease != null && lease.isConfirmed() ? lease : who.published();
        long unused = lease == null || lease.equals(before) ? who.unused() : Math.max(who.unused(), lease.from());
        WindowModelState after = state.with(process, new Process(known, published, Talk.NOTHING, unused));
        if (lease == null || (before != null && lease.row().equals(before.row()))) {
            return new Step<>(label, after, alarm);
        }
        int number = WindowModelState.number(lease.row());
        boolean isRenewed = before != null && number == WindowModelState.number(before.row());
        long from = isRenewed ? Math.max(before.bound(), lease.from()) : lease.from();
        String violation = alarm;
        for (long tick = from; tick < lease.bound(); tick++) {
            int owner = state.owner(number, tick);
            if (owner != WindowModelState.FREE && owner != WindowModelState.EXCUSED) {
                violation = "Tick " + tick + " of number " + number + " was granted to " + name(owner) + " before";
            }
        }
        return new Step<>(
                () -> label.get() + ", and owns " + lease.from() + " to " + lease.bound() + " of " + number,
                after.owned(
                        number,
                        from,
                        lease.bound(),
                        owner -> owner == WindowModelState.EXCUSED ? owner : Integer.valueOf(process)),
                violation);
    }

    /** An id, at a later tick than the process's last. */
    private void compose(List<Step<WindowModelState>> steps, WindowModelState state, int process) {
        Process who = state.processes().get(process);
        Lease lease = who.published();
        int number = WindowModelState.number(lease.row());
        for (long each = Math.max(who.unused(), lease.from()); each < Math.min(times, lease.bound()); each++) {
            long tick = each;
            int owner = state.owner(number, tick);
            steps.add(new Step<>(
                    () -> name(process) + " composes an id with number " + number + " and tick " + tick,
                    state.with(process, new Process(who.known(), lease, who.talk(), tick + 1)),
                    owner == process || owner == WindowModelState.EXCUSED ? null : "It belongs to " + name(owner)));
        }
    }

    private void die(List<Step<WindowModelState>> steps, WindowModelState state, int process) {
        steps.add(new Step<>(
                () -> name(process) + " dies, and starts again",
                gone(state.givenUp(process), process).with(process, Process.NEW),
                null));
    }

    private void stop(List<Step<WindowModelState>> steps, WindowModelState state, int process, String token) {
        Process who = state.processes().get(process);
        LeaseProtocol.handBack(who.known(), who.unused(), token).ifPresent(change -> {
            Row next = change.next();
            WindowModelState freed = fault == Fault.USED_AFTER_HANDING_BACK
                    ? state
                    : state.owned(
                            WindowModelState.number(next),
                            next.number(),
                            Long.MAX_VALUE,
                            owner -> owner == process ? Integer.valueOf(WindowModelState.FREE) : owner);
            steps.add(new Step<>(
                    () -> name(process) + " stops, gives back what lies above " + next.number() + ", and starts again",
                    gone(freed.givenUp(process), process)
                            .with(process, Process.NEW)
                            .sent(WindowModelState.NOBODY, change),
                    null));
        });
    }

    /** What the process owned may be in ids. */
    private static WindowModelState gone(WindowModelState state, int process) {
        WindowModelState after = state;
        for (int worker = 0; worker < state.rows().size(); worker++) {
            after = after.owned(
                    worker,
                    0,
                    Long.MAX_VALUE,
                    owner -> owner == process ? Integer.valueOf(WindowModelState.GONE) : owner);
        }
        return after;
    }

    /** A copy of a process that holds something replaces another process. */
    private void copy(List<Step<WindowModelState>> steps, WindowModelState state, int process) {
        Process who = state.processes().get(process);
        boolean excused = fault == Fault.MEMORY_IS_COPIED_BUT_EXCUSED;
        boolean may = fault == Fault.MEMORY_IS_COPIED
                || (excused && state.owners().stream().noneMatch(ticks -> ticks.contains(WindowModelState.EXCUSED)));
        if (!may
                || (who.known().held() == null
                        && who.published() == null
                        && who.known().sent() == null)) {
            return;
        }
        int target = (process + 1) % processes;
        WindowModelState after = gone(state.givenUp(target), target).with(target, who.talking(Talk.NOTHING));
        LeaseRequest asks = who.known().sent();
        if (excused) {
            after = excused(after, who.published());
            after = excused(after, who.known().held());
            after = excused(after, asks == null ? null : asks.lease());
        }
        steps.add(new Step<>(() -> name(process) + " is copied over " + name(target), after, null));
    }

    private static WindowModelState excused(WindowModelState state, @Nullable Lease lease) {
        return lease == null
                ? state
                : state.owned(
                        WindowModelState.number(lease.row()),
                        lease.from(),
                        lease.bound(),
                        owner -> WindowModelState.EXCUSED);
    }

    /**
     * A copy of a process that holds something replaces another process. Then one or both of the copies drop their
     * state. If one keeps it, only that one owns it.
     */
    private void beginAnew(List<Step<WindowModelState>> steps, WindowModelState state, int process, String token) {
        Process who = state.processes().get(process);
        boolean both = fault == Fault.COPIES_BEGIN_ANEW;
        boolean handsBack = fault == Fault.ONE_COPY_HANDS_BACK;
        boolean may = both || fault == Fault.ONE_COPY_BEGINS_ANEW || handsBack;
        if (!may || who.equals(Process.NEW) || state.messagesOfNobody() >= ORPHANS) {
            return;
        }
        int copy = (process + 1) % processes;
        WindowModelState apart =
                gone(state.givenUp(copy), copy).givenUp(process).with(process, Process.NEW);
        WindowModelState after = both
                ? gone(apart, process).with(copy, Process.NEW)
                : moved(apart, process, copy).with(copy, who.talking(Talk.NOTHING));
        steps.add(new Step<>(() -> name(process) + " goes on as " + name(copy) + ", and begins anew", after, null));
        if (handsBack) {
            LeaseProtocol.handBack(who.known(), who.unused(), token)
                    .ifPresent(change -> steps.add(new Step<>(
                            () -> name(process) + " goes on as " + name(copy) + ", and gives back with "
                                    + change.next(),
                            after.sent(WindowModelState.NOBODY, change),
                            null)));
        }
    }

    private static WindowModelState moved(WindowModelState state, int from, int to) {
        WindowModelState after = state;
        for (int worker = 0; worker < state.rows().size(); worker++) {
            after = after.owned(worker, 0, Long.MAX_VALUE, owner -> owner == from ? Integer.valueOf(to) : owner);
        }
        return after;
    }

    private static String name(int process) {
        return process == WindowModelState.GONE ? "one who is gone" : String.valueOf((char) ('A' + process));
    }
}
