package io.distributedid.internal.lease;

import io.distributedid.internal.lease.LeaseState.Sighting;
import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A state of {@link OrderModel}. The clock of each process shows 0: while time passes, what it remembers moves back.
 *
 * @param row of the store
 * @param processes all of them
 * @param network messages that have not arrived
 * @param answers a bit for each value that was answered
 */
record OrderModelState(Row row, List<Process> processes, List<Message> network, int answers) {

    /** Receives no answer any more: its sender has given up, or is dead. */
    static final int NOBODY = -1;

    /** The progress of a process's call to the store. */
    enum Talk {
        NOTHING,
        ASKING,
        WAITING,
        DONE
    }

    /**
     * A call that has taken a value, or is to take one.
     *
     * @param value what it has taken, or the first that it may take
     * @param end of the right; 0 if it is over, or was checked
     * @param isLate whether a value that is as large or larger was answered before the call began
     * @param tenure the first value of the right, if that is to be confirmed
     * @param room what it may take from {@code value} on; 0 if it has taken its value
     * @param before the largest value that was answered before the call began, if it has taken none yet
     */
    record Call(int value, boolean isLate, boolean isChecked, long end, long tenure, int room, int before) {

        static Call taken(int value, boolean isLate, long end, long tenure) {
            return new Call(value, isLate, false, end, tenure, 0, 0);
        }

        static Call checkedFirst(int from, int room, int before) {
            return new Call(from, false, true, 0, 0, room, before);
        }

        Call taking(int taken) {
            return new Call(taken, taken <= before, true, 0, 0, 0, 0);
        }

        Call checked() {
            return new Call(value, isLate, true, 0, 0, 0, 0);
        }

        Call later(long by, long slowest) {
            return new Call(value, isLate, isChecked, left(end - by, slowest), tenure, room, before);
        }
    }

    /** @param to whoever waits for the answer */
    record Message(int to, Change change) {}

    /**
     * A process with a background thread and a caller.
     *
     * @param mustRead whether the row must be read before the next request
     * @param asked when it asked for the row
     * @param last the last value that was taken
     * @param hasChecked whether a check has succeeded, if that is remembered
     */
    record Process(LeaseState known, Talk talk, boolean mustRead, long asked, int last, Call call, boolean hasChecked) {

        static final Process NEW = new Process(LeaseState.EMPTY, Talk.NOTHING, true, 0, -1, null, false);

        Process talking(Talk next) {
            return new Process(known, next, mustRead, asked, last, call, hasChecked);
        }

        Process asking() {
            return new Process(known, Talk.ASKING, mustRead, 0, last, call, hasChecked);
        }

        Process sending(LeaseRequest request) {
            return new Process(known.sending(request), Talk.WAITING, mustRead, 0, last, call, hasChecked);
        }

        /** What is not confirmed has to be read again. */
        Process learning(LeaseState next) {
            boolean isConfirmed = next.held() == null || next.held().isConfirmed();
            return new Process(next, Talk.NOTHING, !isConfirmed, 0, last, call, hasChecked);
        }

        Process doubting() {
            return new Process(known, Talk.NOTHING, true, 0, last, call, hasChecked);
        }

        Process calling(Call next) {
            return new Process(known, talk, mustRead, asked, last, next, hasChecked);
        }

        Process taking(Call taken) {
            return new Process(known, talk, mustRead, asked, taken.value, taken, hasChecked);
        }

        Process checked(boolean isRemembered) {
            return new Process(known, talk, mustRead, asked, last, call.checked(), hasChecked || isRemembered);
        }

        /** A process that starts anew; its call goes on. Its values lie above {@code last} anyway. */
        Process stopped() {
            return new Process(LeaseState.EMPTY, Talk.NOTHING, true, 0, last, call, false);
        }

        Process withoutThePast(Row row) {
            LeaseRequest sent = known.sent();
            Sighting seen = known.seen();
            boolean isHopeless = sent != null
                    && talk != Talk.DONE
                    && !sent.isPossible(Map.of(row.name(), row))
                    && !sent.isDone(Map.of(row.name(), row));
            boolean isStale = seen != null && !seen.row().version().equals(row.version());
            if (!isHopeless && !isStale) {
                return this;
            }
            LeaseState rest = new LeaseState(known.held(), isHopeless ? null : sent, isStale ? null : seen);
            return new Process(rest, isHopeless ? Talk.NOTHING : talk, true, asked, last, call, hasChecked);
        }

        /** After so much time by its clock. */
        Process later(long by, LeaseProtocol protocol, long slowest) {
            LeaseRequest sent = known.sent();
            Sighting seen = known.seen();
            LeaseState aged = new LeaseState(
                    later(known.held(), by, protocol, slowest),
                    sent == null ? null : new LeaseRequest(sent.change(), later(sent.lease(), by, protocol, slowest)),
                    seen == null
                            ? null
                            : new Sighting(seen.row(), later(seen.since(), by, protocol.waits(seen.row()), slowest)));
            return new Process(
                    aged,
                    talk,
                    mustRead,
                    talk == Talk.ASKING ? later(asked, by, protocol.waits(FREE), slowest) : asked,
                    last,
                    call == null ? null : call.later(by, slowest),
                    hasChecked);
        }

        private static Lease later(Lease lease, long by, LeaseProtocol protocol, long slowest) {
            return lease == null
                    ? null
                    : new Lease(
                            lease.row(),
                            lease.from(),
                            later(lease.since(), by, usable(protocol), slowest),
                            lease.unconfirmed());
        }

        /** An instant from which so much time is counted. */
        private static long later(long since, long by, long counted, long slowest) {
            return left(since + counted - by, slowest) - counted;
        }
    }

    /** The time left, 0 if it is over. All that is over after the next step, whatever the rate, is alike. */
    private static long left(long time, long slowest) {
        return time <= 0 ? 0 : time <= slowest ? 1 : time;
    }

    /** How long a right lasts. */
    private static long usable(LeaseProtocol protocol) {
        return protocol.lease() - protocol.lease() / 100;
    }

    /** When a right ends. */
    static long end(Lease lease, LeaseProtocol protocol) {
        return lease.since() + usable(protocol);
    }

    static final Row FREE =
            Change.create("row", "free", 0, Row.State.NONE, Fields.NONE).next();

    static OrderModelState initial(int processes) {
        return new OrderModelState(FREE, Collections.nCopies(processes, Process.NEW), List.of(), 0);
    }

    OrderModelState with(int process, Process changed) {
        List<Process> all = new ArrayList<>(processes);
        all.set(process, changed);
        return new OrderModelState(row, all, network, answers);
    }

    OrderModelState row(Row changed) {
        return new OrderModelState(changed, processes, network, answers);
    }

    OrderModelState sent(int process, Change change) {
        List<Message> all = new ArrayList<>(network);
        all.add(new Message(process, change));
        return new OrderModelState(row, processes, all, answers);
    }

    /**
     * Without what can have no effect any more, since no row ever comes back: requests that expect another row than the
     * store's, unless they were done, and sightings of such rows.
     */
    OrderModelState withoutThePast() {
        List<Message> messages = new ArrayList<>(network);
        messages.removeIf(message -> !message.change.expected().equals(Optional.of(row.version())));
        List<Process> all = new ArrayList<>(processes);
        all.replaceAll(process -> process.withoutThePast(row));
        return new OrderModelState(row, all, messages, answers);
    }

    OrderModelState arrived(int message) {
        List<Message> all = new ArrayList<>(network);
        all.remove(message);
        return new OrderModelState(row, processes, all, answers);
    }

    /** The process waits for no answer any more; its message goes on. */
    OrderModelState givenUp(int process) {
        List<Message> all = new ArrayList<>(network);
        all.replaceAll(message -> message.to == process ? new Message(NOBODY, message.change) : message);
        return new OrderModelState(row, processes, all, answers);
    }

    long messagesOfNobody() {
        return network.stream().filter(message -> message.to == NOBODY).count();
    }

    boolean isAnswered(int value) {
        return (answers & 1 << value) != 0;
    }

    /** The largest value that was answered; -1 without any. */
    int answered() {
        return 31 - Integer.numberOfLeadingZeros(answers);
    }

    OrderModelState answering(int value) {
        return new OrderModelState(row, processes, network, answers | 1 << value);
    }

    /** A token that no process and no message refers to. */
    String freshToken() {
        Writer writer = new Writer(List.of());
        writer.write(this);
        int number = 0;
        while (writer.tokens.containsKey(Integer.toString(number))) {
            number++;
        }
        return Integer.toString(number);
    }

    /** Equal for states that differ only in the names of tokens and, if processes are alike, of these. */
    String key(boolean alike) {
        return orders(processes.size()).stream()
                .limit(alike ? Long.MAX_VALUE : 1)
                .map(order -> new Writer(order).write(this))
                .min(String::compareTo)
                .orElseThrow();
    }

    /** The natural one first. */
    private static List<List<Integer>> orders(int processes) {
        return processes == 2
                ? List.of(List.of(0, 1), List.of(1, 0))
                : List.of(
                        List.of(0, 1, 2),
                        List.of(0, 2, 1),
                        List.of(1, 0, 2),
                        List.of(1, 2, 0),
                        List.of(2, 0, 1),
                        List.of(2, 1, 0));
    }

    /** Writes a state as a text, with its processes in a given order, and tokens by the order in which they appear. */
    private static final class Writer {

        private final List<Integer> order;

        private final Map<String, Integer> tokens = new HashMap<>();

        private final StringBuilder text = new StringBuilder();

        Writer(List<Integer> order) {
            this.order = order;
        }

        String write(OrderModelState state) {
            row(state.row);
            if (order.isEmpty()) {
                state.processes.forEach(this::process);
            } else {
                order.forEach(process -> process(state.processes.get(process)));
            }
            for (Message message : state.network) {
                int place = order.indexOf(message.to);
                number(place < 0 ? message.to : place);
                change(message.change);
            }
            number(state.answers);
            return text.toString();
        }

        private void process(Process process) {
            lease(process.known.held());
            request(process.known.sent());
            Sighting seen = process.known.seen();
            if (seen == null) {
                text.append('-');
            } else {
                row(seen.row());
                time(seen.since());
            }
            number(process.talk.ordinal() * 4 + (process.mustRead ? 2 : 0) + (process.hasChecked ? 1 : 0));
            time(process.asked);
            number(process.known.held() == null && process.call == null ? -1 : process.last);
            call(process.call);
        }

        private void call(Call call) {
            if (call == null) {
                text.append('-');
            } else {
                number(call.value);
                number((call.isLate ? 1 : 0) + (call.isChecked ? 2 : 0));
                number(call.tenure);
                number(call.room);
                number(call.before);
                time(call.end);
            }
        }

        private void request(LeaseRequest request) {
            if (request == null) {
                text.append('-');
            } else {
                change(request.change());
                lease(request.lease());
            }
        }

        private void change(Change change) {
            version(change.expected().orElseThrow());
            row(change.next());
        }

        private void lease(Lease lease) {
            if (lease == null) {
                text.append('-');
            } else {
                row(lease.row());
                number(lease.from());
                number(lease.isConfirmed() ? 1 : 0);
                time(lease.since());
            }
        }

        private void row(Row row) {
            version(row.version());
            number(
                    LeaseProtocol.owner(row).isEmpty()
                            ? 0
                            : Long.parseLong(row.text().get(LeaseProtocol.LEASE).orElseThrow()) / OrderModel.LEASE);
            number(row.number());
        }

        private void version(Version version) {
            tokens.putIfAbsent(version.random(), tokens.size());
            number(tokens.get(version.random()));
        }

        private void time(long time) {
            number(time / 100);
            number(time % 100);
        }

        /** Below 256, so that a character of the text takes one byte. */
        private void number(long number) {
            text.append((char) (number + 128));
        }
    }
}
