package io.distributedid.internal.lease;

import io.distributedid.internal.ledger.Change;
import io.distributedid.internal.ledger.Fields;
import io.distributedid.internal.ledger.Row;
import io.distributedid.internal.ledger.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * A state of {@link WindowModel}.
 *
 * @param rows of the store by number
 * @param processes all of them
 * @param network messages that have not arrived
 * @param owners by number and tick
 */
record WindowModelState(List<Row> rows, List<Process> processes, List<Message> network, List<List<Integer>> owners) {

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
    record Process(LeaseState known, Lease published, Talk talk, long unused) {

        static final Process NEW = new Process(LeaseState.EMPTY, null, Talk.NOTHING, 0);

        Process talking(Talk changed) {
            return new Process(known, published, changed, unused);
        }
    }

    /** @param to whoever waits for the answer */
    record Message(int to, Change change) {}

    static WindowModelState initial(int processes, int workers, int ticks) {
        return new WindowModelState(
                IntStream.range(0, workers)
                        .mapToObj(worker -> free(worker, "free"))
                        .toList(),
                new ArrayList<>(Collections.nCopies(processes, Process.NEW)),
                List.of(),
                Collections.nCopies(workers, Collections.nCopies(ticks, FREE)));
    }

    WindowModelState with(int process, Process changed) {
        List<Process> all = new ArrayList<>(processes);
        all.set(process, changed);
        return new WindowModelState(rows, all, network, owners);
    }

    static Row free(int worker, String token) {
        return Change.create(StoreHeader.worker(worker), token, 0, Row.State.NONE, Fields.NONE)
                .next();
    }

    static int number(Row row) {
        return row.name().charAt(row.name().length() - 1) - '0';
    }

    Row row(String name) {
        return rows.get(name.charAt(name.length() - 1) - '0');
    }

    WindowModelState row(Row changed) {
        List<Row> all = new ArrayList<>(rows);
        all.set(number(changed), changed);
        return new WindowModelState(all, processes, network, owners);
    }

    WindowModelState sent(int process, Change change) {
        List<Message> all = new ArrayList<>(network);
        all.add(new Message(process, change));
        return new WindowModelState(rows, processes, all, owners);
    }

    WindowModelState arrived(int message) {
        List<Message> all = new ArrayList<>(network);
        all.remove(message);
        return new WindowModelState(rows, processes, all, owners);
    }

    /** The process waits for no answer any more; its message goes on. */
    WindowModelState givenUp(int process) {
        List<Message> all = new ArrayList<>(network);
        all.replaceAll(message -> message.to == process ? new Message(NOBODY, message.change) : message);
        return new WindowModelState(rows, processes, all, owners);
    }

    long messagesOfNobody() {
        return network.stream().filter(message -> message.to == NOBODY).count();
    }

    int owner(long worker, long tick) {
        return owners.get((int) worker).get((int) tick);
    }

    /** Changes the owners of the ticks from {@code from} to before {@code until}. */
    WindowModelState owned(long worker, long from, long until, UnaryOperator<Integer> change) {
        List<Integer> ticks = new ArrayList<>(owners.get((int) worker));
        for (int tick = (int) Math.max(0, from); tick < Math.min(until, ticks.size()); tick++) {
            ticks.set(tick, change.apply(ticks.get(tick)));
        }
        List<List<Integer>> all = new ArrayList<>(owners);
        all.set((int) worker, ticks);
        return new WindowModelState(rows, processes, network, all);
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

        String write(WindowModelState state) {
            state.rows.forEach(this::row);
            if (order.isEmpty()) {
                state.processes.forEach(this::process);
            } else {
                order.forEach(process -> process(state.processes.get(process)));
            }
            for (Message message : state.network) {
                place(message.to);
                change(message.change);
            }
            state.owners.forEach(ticks -> ticks.forEach(this::place));
            return text.toString();
        }

        private void process(Process process) {
            lease(process.known.held());
            request(process.known.sent());
            if (process.published != null && process.published.equals(process.known.held())) {
                text.append('=');
            } else {
                lease(process.published);
            }
            number(process.talk.ordinal());
            number(process.unused);
        }

        private void request(LeaseRequest request) {
            if (request == null) {
                text.append('-');
            } else {
                change(request.change());
                number(request.lease().from());
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
            }
        }

        private void row(Row row) {
            version(row.version());
            number(WindowModelState.number(row));
            number(LeaseProtocol.owner(row).isEmpty() ? 1 : 0);
            number(row.number());
        }

        private void version(Version version) {
            tokens.putIfAbsent(version.random(), tokens.size());
            number(tokens.get(version.random()));
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
