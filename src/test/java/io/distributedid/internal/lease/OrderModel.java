package io.distributedid.internal.lease;

import io.distributedid.internal.lease.LeaseProtocol.Rule;
import io.distributedid.internal.lease.OrderModelState.Call;
import io.distributedid.internal.lease.OrderModelState.Message;
import io.distributedid.internal.lease.OrderModelState.Process;
import io.distributedid.internal.lease.OrderModelState.Talk;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import io.distributedid.testkit.Explorer;
import io.distributedid.testkit.Explorer.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that can happen to two processes, or three, with a call each, a store and the network between them, with
 * the decisions made by {@link LeaseProtocol} itself, by the rule {@link Rule#UNCHANGED}. The store loses nothing.
 *
 * <p>Time passes in steps of half a lease. In each step the monotonic clock of each process goes on by its slowest or
 * by its fastest rate, whichever it likes. Between any two steps of a process any time may pass: between the request
 * and its execution, between that and the answer, between the taking of a value, the check and the answer to the
 * caller. A request may be executed long after its sender has given up or is dead, and its answer may be lost.
 *
 * <p>A call begins, reads its term and takes its value in one step. If it began earlier, fewer answers would have to be
 * smaller. If it read its term earlier, the term would be over earlier.
 *
 * <p>A process takes any value between its last one and the bound. So values follow no clock: wall clocks are set
 * forward and back between any two steps.
 *
 * <p>An answer arrives when the store has given it. If it arrived later, the wait of a claimant would begin later, and
 * an owner would know of its term later.
 *
 * <p>A violation is an answer whose value is not larger than all values of answers that arrived before its call began,
 * or that was answered before.
 *
 * @param processes 2 or 3
 * @param slowest how far a clock goes on at least, where a perfect one goes on by {@link #STEP}
 * @param fastest how far a clock goes on at most
 * @param values how many values there are
 * @param rules what is decided above the protocol of leases
 */
public record OrderModel(int processes, int values, long slowest, long fastest, Fault fault, Rules rules) {

    /** How a call makes sure of its right. */
    public enum Proof {
        TAKEN_THEN_CHECKED,
        /** By the clock, but before the value is taken. */
        CHECKED_THEN_TAKEN,
        /** By a read of the store, which begins after the call. */
        TAKEN_THEN_CONFIRMED
    }

    /** What a protocol that is built on leases decides. */
    public interface Rules {

        /** The requests that may be sent next to renew the row or to claim it, with bounds up to {@code values}. */
        List<LeaseRequest> requests(LeaseProtocol protocol, LeaseState known, int values, String owner, String token);

        /** @param unused no value from here on was taken */
        Change handBack(LeaseState known, long unused, String token);

        Proof proof();

        /** @param tenure the first value of the right that the call's value is of */
        boolean confirms(long tenure, LeaseState read);
    }

    /** What is broken on purpose. */
    public enum Fault {
        NONE,
        /** A claimant does not wait. */
        CLAIMED_AT_ONCE,
        /** A claimant counts from before it asked for the row. */
        WAITED_SINCE_THE_QUESTION,
        /** A claimant waits for its own lease, which is shorter than that of the owner. */
        OWN_LEASE_WAITED_FOR,
        /** A term counts from the answer to its request. */
        COUNTED_FROM_THE_ANSWER,
        /** A check made for an earlier call is used again. */
        CHECK_USED_AGAIN,
        /** The check looks at the newest term, not at that of the value. */
        OTHER_TERM_CHECKED,
        /** There is no check. */
        NOT_CHECKED,
        /** A process that gets no answer takes it for "done". */
        SILENCE_IS_CONSENT,
        /** The store writes whatever the row is. */
        NO_COMPARISON,
        /** A new owner begins below the bound of the row that it replaced. */
        BOUND_IGNORED,
        /** A process goes on to take values after it has handed back. */
        USED_AFTER_HANDING_BACK
    }

    static final long LEASE = 200;

    /** Nothing is lost here, so the header of the store never changes. */
    public static final Version HEADER = Version.first("header");

    /** Half of a lease. */
    public static final long STEP = 100;

    /** The most messages on the way whose sender has given up. */
    private static final int ORPHANS = 1;

    /** Two processes that do what {@link LeaseProtocol} says. */
    OrderModel(int values, long slowest, long fastest, Fault fault) {
        this(2, values, slowest, fastest, fault, new OrderRules());
    }

    /** Explores all states. */
    public Explorer.Result explore() {
        boolean alike = fault != Fault.OWN_LEASE_WAITED_FOR;
        return new Explorer<>(this::next, (OrderModelState state) -> state.key(alike))
                .explore(OrderModelState.initial(processes));
    }

    /** The first process has a longer lease if that is to be the fault. */
    private LeaseProtocol protocol(int process) {
        return new LeaseProtocol(
                Rule.UNCHANGED, fault == Fault.OWN_LEASE_WAITED_FOR && process == 0 ? 2 * LEASE : LEASE);
    }

    private List<Step<OrderModelState>> next(OrderModelState state) {
        List<Step<OrderModelState>> steps = new ArrayList<>();
        boolean roomForOrphan = state.messagesOfNobody() < ORPHANS;
        for (int process = 0; process < processes; process++) {
            Process who = state.processes().get(process);
            talk(steps, state, process);
            if (who.talk() == Talk.WAITING && roomForOrphan) {
                giveUp(steps, state, process);
            }
            if (!who.equals(Process.NEW) && roomForOrphan) {
                die(steps, state, process);
                stop(steps, state, process);
            }
            call(steps, state, process);
        }
        for (int message = 0; message < state.network().size(); message++) {
            arrive(steps, state, message);
        }
        pass(steps, state, 0, List.of());
        if (fault != Fault.NO_COMPARISON) {
            steps.replaceAll(step -> new Step<>(step.label(), step.state().withoutThePast(), step.violation()));
        }
        return steps;
    }

    /** What the background thread of a process does next. */
    private void talk(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        switch (who.talk()) {
            case NOTHING -> {
                if (fault == Fault.WAITED_SINCE_THE_QUESTION) {
                    steps.add(step(() -> name(process) + " asks for the row", state.with(process, who.asking())));
                } else {
                    read(steps, state, process, 0);
                }
                if (!who.mustRead()) {
                    send(steps, state, process);
                }
            }
            case ASKING -> read(steps, state, process, who.asked());
            case DONE ->
                steps.add(step(
                        () -> name(process) + " hears that it was done",
                        state.with(process, who.learning(granted(process, who.known(), 0)))));
            default -> {}
        }
    }

    /** @param answered when the answer arrived, by the belief of the process */
    private void read(List<Step<OrderModelState>> steps, OrderModelState state, int process, long answered) {
        Process who = state.processes().get(process);
        LeaseState known = read(state, process, answered);
        steps.add(
                step(() -> name(process) + " reads the row " + state.row(), state.with(process, who.learning(known))));
    }

    private LeaseState read(OrderModelState state, int process, long answered) {
        LeaseProtocol protocol = protocol(process);
        LeaseState known = state.processes().get(process).known();
        Row row = state.row();
        return protocol.watch(protocol.read(known, Map.of(row.name(), row), HEADER, 0, answered), row, answered);
    }

    private void send(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        LeaseState known = who.known();
        if (known.sent() != null) {
            steps.add(sent(state, process, known.sent()));
            return;
        }
        boolean mayClaim = known.seen() != null
                && (protocol(process).mayClaim(known, known.seen().row(), 0, 0)
                        || fault == Fault.CLAIMED_AT_ONCE
                        || (fault == Fault.OWN_LEASE_WAITED_FOR && waitedOwnLease(process, known)));
        if (known.held() == null && !mayClaim) {
            return;
        }
        for (LeaseRequest request :
                rules.requests(protocol(process), known, values, name(process), state.freshToken())) {
            steps.add(sent(state, process, withFault(request, known)));
        }
    }

    private boolean waitedOwnLease(int process, LeaseState known) {
        return -known.seen().since() >= protocol(process).waits(OrderModelState.FREE);
    }

    private LeaseRequest withFault(LeaseRequest request, LeaseState known) {
        return fault == Fault.BOUND_IGNORED && known.held() == null
                ? new LeaseRequest(
                        request.change(),
                        new Lease(request.lease().row(), 0, request.lease().since(), HEADER))
                : request;
    }

    private static Step<OrderModelState> sent(OrderModelState state, int process, LeaseRequest request) {
        Process who = state.processes().get(process);
        return step(
                () -> name(process) + " sends " + request.change().next(),
                state.with(process, who.sending(request)).sent(process, request.change()));
    }

    /** A message arrives at the store, and its answer at the sender, unless that is lost. */
    private void arrive(List<Step<OrderModelState>> steps, OrderModelState state, int index) {
        Message message = state.network().get(index);
        Change change = message.change();
        boolean isEqual = change.expected().equals(Optional.of(state.row().version()));
        boolean done = isEqual || fault == Fault.NO_COMPARISON;
        OrderModelState after = (done ? state.row(change.next()) : state).arrived(index);
        Supplier<String> label = () -> "The store " + (done ? "does " : "refuses ") + change.next();
        int sender = message.to();
        if (sender == OrderModelState.NOBODY) {
            steps.add(step(label, after));
            return;
        }
        Process who = after.processes().get(sender);
        steps.add(step(label, after.with(sender, done ? heard(sender, who) : who.doubting())));
        if (done) {
            steps.add(step(() -> label.get() + ", and the answer is lost", after.with(sender, unheard(sender, who))));
        }
    }

    private Process heard(int process, Process who) {
        return fault == Fault.COUNTED_FROM_THE_ANSWER
                ? who.talking(Talk.DONE)
                : who.learning(
                        granted(process, who.known(), who.known().sent().lease().since()));
    }

    private Process unheard(int process, Process who) {
        return fault == Fault.SILENCE_IS_CONSENT ? heard(process, who) : who.doubting();
    }

    /** @param since when the right begins, by the belief of the process */
    private LeaseState granted(int process, LeaseState known, long since) {
        LeaseRequest sent = known.sent();
        Lease lease = sent.lease();
        Lease believed = new Lease(lease.row(), lease.from(), since, lease.unconfirmed());
        return protocol(process).done(known.sending(new LeaseRequest(sent.change(), believed)), 0, 0);
    }

    private void giveUp(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process after = unheard(process, state.processes().get(process));
        steps.add(step(
                () -> name(process) + " gets no answer", state.givenUp(process).with(process, after)));
    }

    private void die(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        steps.add(step(
                () -> name(process) + " dies, and starts again",
                state.givenUp(process).with(process, Process.NEW)));
    }

    /** A call that has taken a value goes on. */
    private void stop(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        Lease held = who.known().held();
        if (held == null || who.mustRead()) {
            return;
        }
        Change change = rules.handBack(who.known(), who.last() + 1L, state.freshToken());
        Process after = fault == Fault.USED_AFTER_HANDING_BACK ? who.doubting() : who.stopped();
        steps.add(step(
                () -> name(process) + " stops, hands back " + change.next() + ", and starts again",
                state.givenUp(process).with(process, after).sent(OrderModelState.NOBODY, change)));
    }

    /** What a caller does next. */
    private void call(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        if (who.call() == null) {
            begin(steps, state, process);
        } else if (who.call().room() > 0) {
            take(steps, state, process);
        } else if (who.call().isChecked()) {
            answer(steps, state, process);
        } else {
            check(steps, state, process);
        }
    }

    private void begin(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        Lease held = who.known().held();
        if (held == null || !held.isConfirmed()) {
            return;
        }
        int first = (int) Math.max(held.from(), who.last() + 1);
        int room = (int) held.bound() - first;
        if (rules.proof() == Proof.CHECKED_THEN_TAKEN
                && room > 0
                && protocol(process).isUsable(held, 0)) {
            Call call = Call.checkedFirst(first, room, state.answered());
            steps.add(step(
                    () -> "A call of " + name(process) + " begins after the answer " + state.answered()
                            + ", and checks its lease",
                    state.with(process, who.calling(call))));
        }
        if (rules.proof() == Proof.CHECKED_THEN_TAKEN) {
            return;
        }
        boolean isConfirmed = rules.proof() == Proof.TAKEN_THEN_CONFIRMED;
        for (int each = first; each < held.bound(); each++) {
            int value = each;
            Call call = Call.taken(
                    value,
                    value <= state.answered(),
                    isConfirmed ? 0 : OrderModelState.end(held, protocol(process)),
                    isConfirmed ? held.from() : 0);
            steps.add(step(
                    () -> "A call of " + name(process) + " begins after the answer " + state.answered() + ", and takes "
                            + value,
                    state.with(process, who.taking(call))));
        }
    }

    private void take(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        for (int each = 0; each < who.call().room(); each++) {
            int value = who.call().value() + each;
            steps.add(step(
                    () -> name(process) + " takes " + value,
                    state.with(process, who.taking(who.call().taking(value)))));
        }
    }

    private void check(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        steps.add(
                passes(state, process)
                                || (fault == Fault.CHECK_USED_AGAIN && who.hasChecked())
                                || fault == Fault.NOT_CHECKED
                        ? step(
                                () -> name(process) + " checks its lease",
                                state.with(process, who.checked(fault == Fault.CHECK_USED_AGAIN)))
                        : step(
                                () -> name(process) + " finds its lease to be over",
                                state.with(process, who.calling(null))));
    }

    private boolean passes(OrderModelState state, int process) {
        Process who = state.processes().get(process);
        if (rules.proof() == Proof.TAKEN_THEN_CONFIRMED) {
            return rules.confirms(who.call().tenure(), read(state, process, 0));
        }
        Lease held = who.known().held();
        return fault == Fault.OTHER_TERM_CHECKED
                ? held != null && held.isConfirmed() && protocol(process).isUsable(held, 0)
                : who.call().end() > 0;
    }

    private void answer(List<Step<OrderModelState>> steps, OrderModelState state, int process) {
        Process who = state.processes().get(process);
        Call call = who.call();
        String violation = null;
        if (state.isAnswered(call.value())) {
            violation = call.value() + " was answered before";
        } else if (call.isLate()) {
            violation = "A larger value was answered before the call began";
        }
        steps.add(new Step<>(
                () -> name(process) + " answers " + call.value(),
                state.with(process, who.calling(null)).answering(call.value()),
                violation));
    }

    /** Time passes for all, by the clock of each at one of its rates. */
    private void pass(List<Step<OrderModelState>> steps, OrderModelState state, int process, List<Long> advances) {
        if (process == processes) {
            OrderModelState after = state;
            for (int each = 0; each < processes; each++) {
                after = after.with(
                        each, after.processes().get(each).later(advances.get(each), protocol(each), slowest));
            }
            steps.add(step(() -> "Half a lease passes, by the clocks " + advances, after));
            return;
        }
        for (long rate : slowest == fastest ? List.of(slowest) : List.of(slowest, fastest)) {
            List<Long> all = new ArrayList<>(advances);
            all.add(rate);
            pass(steps, state, process + 1, all);
        }
    }

    private static Step<OrderModelState> step(Supplier<String> label, OrderModelState state) {
        return new Step<>(label, state, null);
    }

    private static String name(int process) {
        return Character.toString('A' + process);
    }
}
