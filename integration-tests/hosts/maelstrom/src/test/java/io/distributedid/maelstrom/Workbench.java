package io.distributedid.maelstrom;

import io.distributedid.testkit.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * What Maelstrom does for the workload {@code unique-ids}: starts processes of the node, carries their messages, plays
 * the services, and calls {@code generate} at a steady rate, each time at any node.
 */
final class Workbench implements AutoCloseable {

    static final int WINDOW_MILLIS = 1_000;

    private static final String CLIENT = "c1";

    private static final int CALLS_A_SECOND = 600;

    private final Mode mode;

    private final Path folder;

    private final List<String> names;

    private final Random random;

    private final Network network;

    private final Ledger ledger;

    private final Map<String, NodeProcess> processes = new HashMap<>();

    private final Map<String, Integer> starts = new TreeMap<>();

    private final ScheduledExecutorService client = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread thread = new Thread(task, "client");
        thread.setDaemon(true);
        return thread;
    });

    private long lastCall;

    /** Starts the nodes and the calls. */
    Workbench(Mode mode, int nodes, Path folder, long seed) throws IOException {
        this.mode = mode;
        this.folder = folder;
        this.random = new Random(seed);
        this.network = new Network(new Random(random.nextLong()));
        this.ledger = new Ledger(mode != Mode.TICKETS);
        LinKv linKv = new LinKv();
        LwwKv lwwKv = LwwKv.apart();
        if (mode == Mode.LIN_KV) {
            network.join("lin-kv", message -> network.send(linKv.answer(message)));
        } else if (mode == Mode.LWW_KV) {
            network.join("lww-kv", message -> network.send(lwwKv.answer(message)));
        }
        names = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            names.add("n" + i);
        }
        for (String name : names) {
            network.join(name, message -> send(name, message));
            start(name);
        }
        client.scheduleAtFixedRate(this::call, 0, 1_000_000 / CALLS_A_SECOND, TimeUnit.MICROSECONDS);
    }

    List<String> names() {
        return names;
    }

    Network network() {
        return network;
    }

    Ledger ledger() {
        return ledger;
    }

    /** Starts the process of a node, which has none. */
    void start(String name) throws IOException {
        int number = starts.merge(name, 1, Integer::sum);
        String process = name + "#" + number;
        List<String> arguments = new ArrayList<>(List.of(mode.text(), "window=" + WINDOW_MILLIS));
        if (mode.keepsFiles()) {
            arguments.add("folder=" + folder);
        }
        NodeProcess started =
                new NodeProcess(arguments, folder.resolve(process + ".log"), message -> said(name, process, message));
        started.send(new Message(
                CLIENT, name, Map.of("type", "init", "msg_id", 0L, "node_id", name, "node_ids", List.copyOf(names))));
        synchronized (processes) {
            processes.put(name, started);
        }
    }

    NodeProcess process(String name) {
        synchronized (processes) {
            return processes.get(name);
        }
    }

    private void send(String name, Message message) {
        process(name).send(message);
    }

    private void said(String name, String process, Message message) {
        if (!message.dest().equals(CLIENT)) {
            network.send(message);
        } else if (message.inReplyTo().orElseThrow() > 0) {
            ledger.answered(message, name, process);
        }
    }

    private void call() {
        String name = names.get(random.nextInt(names.size()));
        long call = ++lastCall;
        ledger.called(call);
        send(name, new Message(CLIENT, name, Map.of("type", "generate", "msg_id", call)));
    }

    /** Waits until each node gives ids, as it must once nothing hinders it. */
    void awaitIdsOfAll() {
        for (String name : names) {
            int before = ledger.given(name);
            Await.until(name + " gives ids", () -> ledger.given(name) > before + 10, () -> ledger + " in " + folder);
        }
    }

    /** No more calls; what nodes say until they are killed still counts. */
    @Override
    public void close() {
        client.shutdownNow();
        for (String name : names) {
            NodeProcess process = process(name);
            if (process != null) {
                process.close();
            }
        }
        network.close();
    }
}
