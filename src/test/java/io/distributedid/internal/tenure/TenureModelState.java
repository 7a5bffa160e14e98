package io.distributedid.internal.tenure;

import io.distributedid.internal.tenure.TenureState.Sighting;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A state of {@link TenureModel}. The clock of each process shows 0: while time passes, what it remembers moves back.
 *
 * @param row of the store, null if there is none
 * @param processes all of them
 * @param network messages that have not arrived
 * @param answers a bit for each value that was answered
 */
record TenureModelState(TenureRow row, List<Process> processes, List<Message> network, int answers) {

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
     * @param end of the term; 0 if it is over, or was checked
     * @param isLate whether a value that is as large or larger was answered before the call began
     * @param room what it may take from {@code value} on; 0 if it has taken its value
     * @param before the largest value that was answered before the call began, if it has taken none yet
     */
    record Call(int value, boolean isLate, boolean isChecked, long end, int room, int before) {

        static Call taken(int value, boolean isLate, long end) {
            return new Call(value, isLate, false, end, 0, 0);
        }

        static Call checkedFirst(int from, int room, int before) {
            return new Call(from, false, true, 0, room, before);
        }

        Call taking(int taken) {
            return new Call(taken, taken <= before, true, 0, 0, 0);
        }

        Call checked() {
            return new Call(value, isLate, true, 0, 0, 0);
        }

        Call later(long by, long slowest) {
            return new Call(value, isLate, isChecked, left(end - by, slowest), room, before);
        }
    }

    /** @param to whoever waits for the answer */
    record Message(int to, TenureRequest request) {}

    /**
     * A process with a background thread and a caller.
     *
     * @param mustRead whether the row must be read before the next request
     * @param asked when it asked for the row
     * @param last the last value that was taken
     * @param hasChecked whether a check has succeeded, if that is remembered
     */
    record Process(
            TenureState known, Talk talk, boolean mustRead, long asked, int last, Call call, boolean hasChecked) {

        static final Process NEW = new Process(TenureState.EMPTY, Talk.NOTHING, true, 0, -1, null, false);

        Process talking(Talk next) {
            return new Process(known, next, mustRead, asked, last, call, hasChecked);
        }

        Process asking() {
            return new Process(known, Talk.ASKING, mustRead, 0, last, call, hasChecked);
        }

        Process sending(TenureRequest request) {
            return new Process(known.sending(request), Talk.WAITING, mustRead, 0, last, call, hasChecked);
        }

        Process learning(TenureState next, boolean doubtful) {
            return new Process(next, Talk.NOTHING, doubtful, 0, last, call, hasChecked);
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
            return new Process(TenureState.EMPTY, Talk.NOTHING, true, 0, last, call, false);
        }

        Process withoutThePast(TenureRow row) {
            TenureRequest sent = known.sent();
            Sighting seen = known.seen();
            boolean isHopeless = sent != null
                    && talk != Talk.DONE
                    && !Objects.equals(sent.expected(), row)
                    && !sent.next().equals(row);
            boolean isStale = seen != null && !Objects.equals(seen.row(), row);
            if (!isHopeless && !isStale) {
                return this;
            }
            TenureState rest = new TenureState(known.held(), isHopeless ? null : sent, isStale ? null : seen);
            return new Process(rest, isHopeless ? Talk.NOTHING : talk, true, asked, last, call, hasChecked);
        }

        /** After so much time by its clock. */
        Process later(long by, TenureProtocol protocol, long slowest) {
            TenureRequest sent = known.sent();
            Sighting seen = known.seen();
            TenureState aged = new TenureState(
                    TenureModelState.later(known.held(), by, slowest),
                    sent == null
                            ? null
                            : new TenureRequest(
                                    sent.expected(),
                                    sent.next(),
                                    sent.from(),
                                    later(sent.since(), by, protocol.usable(), slowest)),
                    seen == null
                            ? null
                            : new Sighting(seen.row(), later(seen.since(), by, protocol.wait(seen.row()), slowest)));
            return new Process(
                    aged,
                    talk,
                    mustRead,
                    talk == Talk.ASKING ? later(asked, by, protocol.wait(UNKNOWN), slowest) : asked,
                    last,
                    call == null ? null : call.later(by, slowest),
                    hasChecked);
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

    private static final TenureRow UNKNOWN = new TenureRow("X", 0, TenureModel.LEASE, "");

    private static Term later(Term term, long by, long slowest) {
        return term == null ? null : new Term(term.row(), term.from(), left(term.end() - by, slowest));
    }

    static TenureModelState initial(int processes) {
        return new TenureModelState(null, Collections.nCopies(processes, Process.NEW), List.of(), 0);
    }

    TenureModelState with(int process, Process changed) {
        List<Process> all = new ArrayList<>(processes);
        all.set(process, changed);
        return new TenureModelState(row, all, network, answers);
    }

    TenureModelState row(TenureRow changed) {
        return new TenureModelState(changed, processes, network, answers);
    }

    TenureModelState sent(int process, TenureRequest request) {
        List<Message> all = new ArrayList<>(network);
        all.add(new Message(process, request));
        return new TenureModelState(row, processes, all, answers);
    }

    /**
     * Without what can have no effect any more, since no row ever comes back: requests that expect another row than the
     * store's, unless they were done, and sightings of such rows.
     */
    TenureModelState withoutThePast() {
        List<Message> messages = new ArrayList<>(network);
        messages.removeIf(message -> !Objects.equals(message.request.expected(), row));
        List<Process> all = new ArrayList<>(processes);
        all.replaceAll(process -> process.withoutThePast(row));
        return new TenureModelState(row, all, messages, answers);
    }

    TenureModelState arrived(int message) {
        List<Message> all = new ArrayList<>(network);
        all.remove(message);
        return new TenureModelState(row, processes, all, answers);
    }

    /** The process waits for no answer any more; its message goes on. */
    TenureModelState givenUp(int process) {
        List<Message> all = new ArrayList<>(network);
        all.replaceAll(message -> message.to == process ? new Message(NOBODY, message.request) : message);
        return new TenureModelState(row, processes, all, answers);
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

    TenureModelState answering(int value) {
        return new TenureModelState(row, processes, network, answers | 1 << value);
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

        String write(TenureModelState state) {
            row(state.row);
            if (order.isEmpty()) {
                state.processes.forEach(this::process);
            } else {
                order.forEach(process -> process(state.processes.get(process)));
            }
            for (Message message : state.network) {
                int place = order.indexOf(message.to);
                number(place < 0 ? message.to : place);
                request(message.request, message.to != NOBODY);
            }
            number(state.answers);
            return text.toString();
        }

        private void process(Process process) {
            term(process.known.held());
            request(process.known.sent(), true);
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
                number(call.room);
                number(call.before);
                time(call.end);
            }
        }

        /** Only the sender remembers when it sent a request. */
        private void request(TenureRequest request, boolean isRemembered) {
            if (request == null) {
                text.append('-');
            } else {
                row(request.expected());
                row(request.next());
                number(request.from());
                time(isRemembered ? request.since() : 0);
            }
        }

        private void term(Term term) {
            if (term == null) {
                text.append('-');
            } else {
                row(term.row());
                number(term.from());
                time(term.end());
            }
        }

        private void row(TenureRow row) {
            if (row == null) {
                text.append('-');
            } else {
                tokens.putIfAbsent(row.token(), tokens.size());
                number(tokens.get(row.token()));
                number(row.isHandedBack() ? 0 : row.lease() / TenureModel.LEASE);
                number(row.bound());
            }
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
