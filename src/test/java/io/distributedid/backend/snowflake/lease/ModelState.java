package io.distributedid.backend.snowflake.lease;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * A state of {@link LeaseModel}.
 *
 * @param rows of the store by number, null if there is none
 * @param processes all of them
 * @param network messages that have not arrived
 * @param owners by number and tick
 */
record ModelState(List<WorkerRow> rows, List<Process> processes, List<Message> network, List<List<Integer>> owners) {

    /** Receives no answer any more: its sender has given up, or is dead. */
    static final int NOBODY = -1;

    /** The owner of a tick that was never granted, or given back. */
    static final int FREE = -1;

    /** The owner of a tick whose owner has stopped or died. */
    static final int GONE = 20;

    /** The owner of a tick that may be granted twice, because a process was copied while it had it. */
    static final int EXCUSED = 21;

    /** The progress of a process's call to the store. */
    enum Talk {
        NOTHING,
        WAITING,
        DONE,
        REFUSED
    }

    /**
     * @param published what its generators use
     * @param unused what its generators have composed lies below
     */
    record Process(LeaseState known, Grant published, Talk talk, long unused) {

        static final Process NEW = new Process(LeaseState.EMPTY, null, Talk.NOTHING, 0);

        Process talking(Talk changed) {
            return new Process(known, published, changed, unused);
        }
    }

    /** @param to whoever waits for the answer */
    record Message(int to, LeaseRequest request) {}

    static ModelState initial(int processes, int workers, int ticks) {
        return new ModelState(
                Arrays.asList(new WorkerRow[workers]),
                new ArrayList<>(Collections.nCopies(processes, Process.NEW)),
                List.of(),
                Collections.nCopies(workers, Collections.nCopies(ticks, FREE)));
    }

    ModelState with(int process, Process changed) {
        List<Process> all = new ArrayList<>(processes);
        all.set(process, changed);
        return new ModelState(rows, all, network, owners);
    }

    ModelState row(int worker, WorkerRow changed) {
        List<WorkerRow> all = new ArrayList<>(rows);
        all.set(worker, changed);
        return new ModelState(all, processes, network, owners);
    }

    ModelState sent(int process, LeaseRequest request) {
        List<Message> all = new ArrayList<>(network);
        all.add(new Message(process, request));
        return new ModelState(rows, processes, all, owners);
    }

    ModelState arrived(int message) {
        List<Message> all = new ArrayList<>(network);
        all.remove(message);
        return new ModelState(rows, processes, all, owners);
    }

    /** The process waits for no answer any more; its message goes on. */
    ModelState givenUp(int process) {
        List<Message> all = new ArrayList<>(network);
        all.replaceAll(message -> message.to == process ? new Message(NOBODY, message.request) : message);
        return new ModelState(rows, processes, all, owners);
    }

    long messagesOfNobody() {
        return network.stream().filter(message -> message.to == NOBODY).count();
    }

    int owner(long worker, long tick) {
        return owners.get((int) worker).get((int) tick);
    }

    /** Changes the owners of the ticks from {@code from} to before {@code until}. */
    ModelState owned(long worker, long from, long until, UnaryOperator<Integer> change) {
        List<Integer> ticks = new ArrayList<>(owners.get((int) worker));
        for (int tick = (int) Math.max(0, from); tick < Math.min(until, ticks.size()); tick++) {
            ticks.set(tick, change.apply(ticks.get(tick)));
        }
        List<List<Integer>> all = new ArrayList<>(owners);
        all.set((int) worker, ticks);
        return new ModelState(rows, processes, network, all);
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

    /** Equal for states that differ only in the names of tokens and processes. */
    String key() {
        String least = null;
        for (List<Integer> order : orders(processes.size())) {
            String key = new Writer(order).write(this);
            least = least == null || key.compareTo(least) < 0 ? key : least;
        }
        return least;
    }

    private static List<List<Integer>> orders(int size) {
        return switch (size) {
            case 1 -> List.of(List.of(0));
            case 2 -> List.of(List.of(0, 1), List.of(1, 0));
            case 3 ->
                List.of(
                        List.of(0, 1, 2),
                        List.of(0, 2, 1),
                        List.of(1, 0, 2),
                        List.of(1, 2, 0),
                        List.of(2, 0, 1),
                        List.of(2, 1, 0));
            default -> throw new IllegalArgumentException("size=" + size);
        };
    }

    /** Writes a state as a text, with its processes in a given order, and tokens by the order in which they appear. */
    private static final class Writer {

        private final List<Integer> order;

        private final Map<String, Integer> tokens = new HashMap<>();

        private final StringBuilder text = new StringBuilder();

        Writer(List<Integer> order) {
            this.order = order;
        }

        String write(ModelState state) {
            state.rows.forEach(this::row);
            if (order.isEmpty()) {
                state.processes.forEach(this::process);
            } else {
                order.forEach(process -> process(state.processes.get(process)));
            }
            for (Message message : state.network) {
                place(message.to);
                request(message.request);
            }
            state.owners.forEach(ticks -> ticks.forEach(this::place));
            return text.toString();
        }

        private void process(Process process) {
            grant(process.known.held());
            request(process.known.sent());
            if (process.published != null && process.published.equals(process.known.held())) {
                text.append('=');
            } else {
                grant(process.published);
            }
            number(process.talk.ordinal());
            number(process.unused);
        }

        private void request(LeaseRequest request) {
            if (request == null) {
                text.append('-');
            } else {
                row(request.expected());
                row(request.next());
                number(request.from());
            }
        }

        private void grant(Grant grant) {
            if (grant == null) {
                text.append('-');
            } else {
                row(grant.row());
                number(grant.from());
            }
        }

        private void row(WorkerRow row) {
            if (row == null) {
                text.append('-');
            } else {
                tokens.putIfAbsent(row.token(), tokens.size());
                number(tokens.get(row.token()));
                number(row.worker());
                number(row.isHandedBack() ? 1 : 0);
                number(row.reservedUntil());
            }
        }

        private void place(int process) {
            int place = order.indexOf(process);
            number(place < 0 ? process : place);
        }

        private void number(long number) {
            text.append((char) (number + 'a'));
        }
    }
}
