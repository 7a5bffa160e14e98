package io.distributedid.backend.snowflake.lease;

import io.distributedid.backend.snowflake.lease.ModelState.Message;
import io.distributedid.backend.snowflake.lease.ModelState.Process;
import io.distributedid.backend.snowflake.lease.ModelState.Talk;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * Everything that can happen to a few processes, a store and the network between them, with the decisions made by
 * {@link LeaseProtocol} and {@link LeaseState} themselves.
 *
 * <p>Each reading of a clock may have any value: clocks are set forward and back between any two steps. After any step
 * a process may be suspended for any time, and then go on, stop or die. A message takes any time to arrive, also when
 * its sender has long given up or is dead, and its answer may be lost.
 *
 * <p>Of each (number, tick) the model knows the owner: who was granted it and may have put it into an id. To grant it
 * to a second one is a violation, and so is an id of one who does not own it, or the belief that the store has
 * forgotten something.
 *
 * @param times clocks show 0 to below this
 */
record LeaseModel(LeaseProtocol protocol, int processes, int times, Fault fault) {

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

    /** The most messages on the way whose sender has given up. */
    private static final int ORPHANS = 1;

    /** Explores all states. */
    Explorer.Result explore() {
        int ticks = times + (int) protocol.windowMillis() + 2;
        return new Explorer<>(this::next, ModelState::key)
                .explore(ModelState.initial(processes, (int) protocol.maxWorker() + 1, ticks));
    }

    private List<Step<ModelState>> next(ModelState state) {
        List<Step<ModelState>> steps = new ArrayList<>();
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
            steps.add(new Step<>(() -> "The store loses a row", state.row(worker, null), null));
        }
        return steps;
    }

    /** Reads the store, looks at the clock, and settles or sends a request. */
    private void ask(List<Step<ModelState>> steps, ModelState state, int process, String token) {
        LeaseState known = state.processes().get(process).known();
        StoreSnapshot rows = read(state, known.held(), 0);
        LeaseState settled = LeaseProtocol.recover(known, rows);
        if (!settled.equals(known)) {
            Grant held = known.held();
            boolean alarm = fault == Fault.NONE
                    && held != null
                    && settled.held() == null
                    && LeaseProtocol.isForgotten(held, rows.row(held.worker()));
            Step<ModelState> step = learn(() -> name(process) + " reads the store", state, process, settled);
            steps.add(alarm ? new Step<>(step.label(), step.state(), "A false alarm: nothing is forgotten") : step);
            prolong(steps, state, process, token);
            return;
        }
        for (int clock = 0; clock < times; clock++) {
            // Where the store's clock matters only the earlier of the two does.
            int firstStoreTime = known.held() == null ? 0 : clock;
            for (int storeTime = firstStoreTime; storeTime <= clock; storeTime++) {
                if (protocol.isDue(known, clock)) {
                    send(steps, state, process, read(state, known.held(), storeTime), clock, token);
                }
            }
        }
    }

    /** Sends a renewal without a read, although the row is not the process's any more. */
    private void prolong(List<Step<ModelState>> steps, ModelState state, int process, String token) {
        Process who = state.processes().get(process);
        Grant held = who.known().held();
        if (held == null || who.known().sent() != null) {
            return;
        }
        for (int clock = 0; clock < times; clock++) {
            if (protocol.isDue(who.known(), clock)) {
                LeaseRequest request = protocol.renewal(held, clock, token);
                steps.add(sent(() -> name(process) + " does not read, and sends " + request, state, process, request));
            }
        }
    }

    private static Step<ModelState> sent(Supplier<String> label, ModelState state, int process, LeaseRequest request) {
        Process who = state.processes().get(process);
        Process waiting = new Process(who.known().sending(request), who.published(), Talk.WAITING, who.unused());
        return new Step<>(label, state.with(process, waiting).sent(process, request), null);
    }

    private static StoreSnapshot read(ModelState state, Grant held, long storeTime) {
        return new StoreSnapshot(
                state.rows().stream()
                        .filter(row -> row != null && (held == null || held.worker() == row.worker()))
                        .toList(),
                storeTime,
                null);
    }

    private void send(
            List<Step<ModelState>> steps,
            ModelState state,
            int process,
            StoreSnapshot snapshot,
            long clock,
            String token) {
        Process who = state.processes().get(process);
        for (int failures = 0; failures < state.rows().size(); failures++) {
            protocol.request(who.known(), snapshot, clock, name(process), token, failures, failures)
                    .map(request -> withFault(request, who.known(), clock))
                    .ifPresent(request -> steps.add(sent(
                            () -> name(process) + " reads the store at " + snapshot.storeTime()
                                    + ", its own clock shows " + clock + ", and sends " + request,
                            state,
                            process,
                            request)));
        }
    }

    private LeaseRequest withFault(LeaseRequest request, LeaseState known, long clock) {
        return fault == Fault.CLOCK_IS_TRUSTED && known.held() == null
                ? new LeaseRequest(request.expected(), request.next(), clock)
                : request;
    }

    /** A message arrives at the store. */
    private void arrive(List<Step<ModelState>> steps, ModelState state, int index) {
        Message message = state.network().get(index);
        LeaseRequest request = message.request();
        int worker = (int) request.next().worker();
        WorkerRow row = state.rows().get(worker);
        boolean equal = row == null ? request.expected() == null : row.equals(request.expected());
        boolean done = equal || fault == Fault.NO_COMPARISON;
        ModelState after = (done ? state.row(worker, request.next()) : state).arrived(index);
        if (message.to() != ModelState.NOBODY) {
            Process who = after.processes().get(message.to());
            after = after.with(message.to(), who.talking(done ? Talk.DONE : Talk.REFUSED));
        }
        steps.add(new Step<>(() -> "The store " + (done ? "does " : "refuses ") + request, after, null));
    }

    private void hear(List<Step<ModelState>> steps, ModelState state, int process) {
        Process who = state.processes().get(process);
        boolean done = who.talk() == Talk.DONE;
        steps.add(learn(
                () -> name(process) + " hears that it was " + (done ? "done" : "refused"),
                state,
                process,
                who.known().answered(done)));
    }

    private void giveUp(List<Step<ModelState>> steps, ModelState state, int process) {
        Process who = state.processes().get(process);
        Supplier<String> label = () -> name(process) + " gets no answer";
        ModelState after = state.givenUp(process);
        steps.add(
                fault == Fault.SILENCE_IS_CONSENT
                        ? learn(label, after, process, who.known().answered(true))
                        : new Step<>(label, after.with(process, who.talking(Talk.NOTHING)), null));
    }

    /** The process goes on with this state, and owns what it grants. */
    private static Step<ModelState> learn(Supplier<String> label, ModelState state, int process, LeaseState known) {
        Process who = state.processes().get(process);
        Grant before = who.known().held();
        Grant grant = known.held();
        if (grant == null || grant.equals(before)) {
            return new Step<>(
                    label, state.with(process, new Process(known, who.published(), Talk.NOTHING, who.unused())), null);
        }
        boolean prolonged = before != null && before.worker() == grant.worker() && before.from() == grant.from();
        long from = Math.max(0, prolonged ? before.until() : grant.from());
        String violation = null;
        for (long tick = from; tick < grant.until(); tick++) {
            int owner = state.owner(grant.worker(), tick);
            if (owner != ModelState.FREE && owner != ModelState.EXCUSED) {
                violation =
                        "Tick " + tick + " of number " + grant.worker() + " was granted to " + name(owner) + " before";
            }
        }
        ModelState after = state.with(process, new Process(known, grant, Talk.NOTHING, unused(who, grant)))
                .owned(
                        grant.worker(),
                        from,
                        grant.until(),
                        owner -> owner == ModelState.EXCUSED ? owner : Integer.valueOf(process));
        return new Step<>(() -> label.get() + ", and owns " + grant, after, violation);
    }

    private static long unused(Process who, Grant grant) {
        return Math.max(who.unused(), grant.from());
    }

    /** An id, at a later tick than the process's last. */
    private void compose(List<Step<ModelState>> steps, ModelState state, int process) {
        Process who = state.processes().get(process);
        Grant grant = who.published();
        for (long each = who.unused(); each < times; each++) {
            long tick = each;
            if (grant.covers(tick)) {
                int owner = state.owner(grant.worker(), tick);
                steps.add(new Step<>(
                        () -> name(process) + " composes an id with number " + grant.worker() + " and tick " + tick,
                        state.with(process, new Process(who.known(), grant, who.talk(), tick + 1)),
                        owner == process || owner == ModelState.EXCUSED ? null : "It belongs to " + name(owner)));
            }
        }
    }

    private void die(List<Step<ModelState>> steps, ModelState state, int process) {
        steps.add(new Step<>(
                () -> name(process) + " dies, and starts again",
                gone(state.givenUp(process), process).with(process, Process.NEW),
                null));
    }

    private void stop(List<Step<ModelState>> steps, ModelState state, int process, String token) {
        Process who = state.processes().get(process);
        protocol.handBack(who.known(), who.unused(), token).ifPresent(request -> {
            WorkerRow next = request.next();
            ModelState freed = fault == Fault.USED_AFTER_HANDING_BACK
                    ? state
                    : state.owned(
                            next.worker(),
                            next.reservedUntil(),
                            Long.MAX_VALUE,
                            owner -> owner == process ? Integer.valueOf(ModelState.FREE) : owner);
            steps.add(new Step<>(
                    () -> name(process) + " stops, gives back what lies above with " + request + ", and starts again",
                    gone(freed.givenUp(process), process)
                            .with(process, Process.NEW)
                            .sent(ModelState.NOBODY, request),
                    null));
        });
    }

    /** What the process owned may be in ids. */
    private static ModelState gone(ModelState state, int process) {
        ModelState after = state;
        for (int worker = 0; worker < state.rows().size(); worker++) {
            after = after.owned(
                    worker, 0, Long.MAX_VALUE, owner -> owner == process ? Integer.valueOf(ModelState.GONE) : owner);
        }
        return after;
    }

    /** A copy of a process that holds something replaces another process. */
    private void copy(List<Step<ModelState>> steps, ModelState state, int process) {
        Process who = state.processes().get(process);
        boolean excused = fault == Fault.MEMORY_IS_COPIED_BUT_EXCUSED;
        boolean may = fault == Fault.MEMORY_IS_COPIED
                || (excused && state.owners().stream().noneMatch(ticks -> ticks.contains(ModelState.EXCUSED)));
        if (!may || (who.published() == null && who.known().sent() == null)) {
            return;
        }
        int target = (process + 1) % processes;
        ModelState after = gone(state.givenUp(target), target).with(target, who.talking(Talk.NOTHING));
        Grant has = who.published();
        LeaseRequest asks = who.known().sent();
        if (excused && has != null) {
            after = after.owned(has.worker(), has.from(), has.until(), owner -> ModelState.EXCUSED);
        }
        if (excused && asks != null) {
            after = after.owned(
                    asks.next().worker(), asks.from(), asks.next().reservedUntil(), owner -> ModelState.EXCUSED);
        }
        steps.add(new Step<>(() -> name(process) + " is copied over " + name(target), after, null));
    }

    /**
     * A copy of a process that holds something replaces another process. Then one or both of the copies drop their
     * state. If one keeps it, only that one owns it.
     */
    private void beginAnew(List<Step<ModelState>> steps, ModelState state, int process, String token) {
        Process who = state.processes().get(process);
        boolean both = fault == Fault.COPIES_BEGIN_ANEW;
        boolean handsBack = fault == Fault.ONE_COPY_HANDS_BACK;
        boolean may = both || fault == Fault.ONE_COPY_BEGINS_ANEW || handsBack;
        if (!may || who.equals(Process.NEW) || state.messagesOfNobody() >= ORPHANS) {
            return;
        }
        int copy = (process + 1) % processes;
        ModelState apart = gone(state.givenUp(copy), copy).givenUp(process).with(process, Process.NEW);
        ModelState after = both
                ? gone(apart, process).with(copy, Process.NEW)
                : moved(apart, process, copy).with(copy, who.talking(Talk.NOTHING));
        steps.add(new Step<>(() -> name(process) + " goes on as " + name(copy) + ", and begins anew", after, null));
        if (handsBack) {
            protocol.handBack(who.known(), who.unused(), token)
                    .ifPresent(request -> steps.add(new Step<>(
                            () -> name(process) + " goes on as " + name(copy) + ", and gives back with " + request,
                            after.sent(ModelState.NOBODY, request),
                            null)));
        }
    }

    private static ModelState moved(ModelState state, int from, int to) {
        ModelState after = state;
        for (int worker = 0; worker < state.rows().size(); worker++) {
            after = after.owned(worker, 0, Long.MAX_VALUE, owner -> owner == from ? Integer.valueOf(to) : owner);
        }
        return after;
    }

    private static String name(int process) {
        return process == ModelState.GONE ? "one who is gone" : String.valueOf((char) ('A' + process));
    }
}
