package io.distributedid.maelstrom;

import io.distributedid.DistributedIdException;
import io.distributedid.DistributedIds;
import io.distributedid.backend.snowflake.LeasedIds;
import io.distributedid.spi.Block;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A node of Maelstrom's workload {@code unique-ids}. Answers {@code init} and {@code generate}; the first nodes answer
 * {@code read} and {@code cas}, or {@code reserve}, of the others too.
 *
 * <p>The reading thread waits for nothing, since answers that others wait for come through it. One thread makes all ids
 * of a node, so that ids of one worker number are in the order of their calls. Another one answers the other nodes,
 * since that writes files.
 */
final class Node {

    private static final Duration REQUEST_TIMEOUT = Duration.ofMillis(400);

    private static final long PAUSE_MILLIS = 50;

    private static final long STOP_SECONDS = 10;

    /** Few, so that nodes often ask for blocks. */
    private static final int IDS_OF_BLOCK = 20;

    private static final String KEY = "workers";

    private final Options options;

    private final Consumer<Message> out;

    private final InstantSource clock;

    private final ExecutorService leases = Executors.newSingleThreadExecutor(task -> daemon(task, "lease"));

    private final ExecutorService makers = Executors.newSingleThreadExecutor(task -> daemon(task, "ids"));

    private final ExecutorService files = Executors.newSingleThreadExecutor(task -> daemon(task, "files"));

    private volatile Optional<Member> member = Optional.empty();

    /** Where the ids of this node come from. For one thread at a time. */
    private interface Ids {

        /** @throws DistributedIdException if there is none now */
        long next();

        void close();
    }

    /**
     * What a node is once it knows the others.
     *
     * @param cell of the store of worker numbers, at the node that keeps it
     * @param counter at a node that counts
     * @param source of ids; completed once it is open
     */
    private record Member(Peers peers, Optional<Cell> cell, Optional<Counter> counter, CompletableFuture<Ids> source) {}

    /** @param out takes messages of any thread */
    Node(Options options, Consumer<Message> out, InstantSource clock) {
        this.options = options;
        this.out = out;
        this.clock = clock;
    }

    private static Thread daemon(Runnable task, String name) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        return thread;
    }

    /** Takes a message. For one thread. */
    void take(Message message) {
        Optional<Long> answered = message.inReplyTo();
        if (answered.isPresent()) {
            member.ifPresent(self -> self.peers.answered(answered.get(), message));
            return;
        }
        try {
            request(message);
        } catch (IllegalArgumentException e) {
            out.accept(message.refusal(Errors.MALFORMED_REQUEST, e.getMessage()));
        }
    }

    private void request(Message message) {
        if (message.type().equals("init")) {
            init(message);
            return;
        }
        if (member.isEmpty()) {
            out.accept(message.refusal(Errors.TEMPORARILY_UNAVAILABLE, "This node has got no init yet"));
            return;
        }
        Member self = member.get();
        switch (message.type()) {
            case "generate" -> execute(makers, message, () -> out.accept(id(self, message)));
            case "read", "cas" -> answer(message, self.cell, cell -> CellRequest.answer(message, cell));
            case "reserve" -> answer(message, self.counter, counter -> reserve(message, counter));
            default -> out.accept(notSupported(message));
        }
    }

    private void init(Message message) {
        if (member.isEmpty()) {
            try {
                member = Optional.of(join(message.text("node_id"), message.texts("node_ids")));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        out.accept(message.answer("init_ok", Map.of()));
    }

    private Member join(String name, List<String> all) throws IOException {
        Peers peers = new Peers(name, out, REQUEST_TIMEOUT);
        CompletableFuture<Ids> source = new CompletableFuture<>();
        if (options.mode() == Mode.TICKETS) {
            List<String> servers = all.subList(0, Math.min(2, all.size()));
            int place = servers.indexOf(name);
            Optional<Counter> counter = place < 0
                    ? Optional.empty()
                    : Optional.of(new Counter(file(name + ".counter"), place + 1L, servers.size()));
            source.complete(tickets(new TicketNodes(peers, servers)));
            return new Member(peers, Optional.empty(), counter, source);
        }
        boolean keepsStore = options.mode() == Mode.FIRST_NODE && name.equals(all.get(0));
        Optional<Cell> kept = keepsStore ? Optional.of(file(name + ".workers")) : Optional.empty();
        Cell cell = kept.orElseGet(() -> switch (options.mode()) {
            case FIRST_NODE -> new ServiceCell(peers, all.get(0), KEY, false);
            case LWW_KV -> new ServiceCell(peers, "lww-kv", KEY, true);
            default -> new ServiceCell(peers, "lin-kv", KEY, false);
        });
        // One number to spare: a node that starts again mostly takes one that another process had.
        leases.execute(() -> lease(cell, all.size() + 1, source));
        return new Member(peers, kept, Optional.empty(), source);
    }

    private Cell file(String name) throws IOException {
        Path folder = options.folder().orElseThrow();
        return new FileCell(folder.resolve(name));
    }

    private static Ids tickets(TicketNodes nodes) {
        DistributedIds tickets = DistributedIds.create(Map.of(
                "distributedid.backend",
                TicketBackend.class.getName(),
                "distributedid.block.timeout",
                "500ms",
                "distributedid.block.min",
                IDS_OF_BLOCK,
                "distributedid.block.max",
                IDS_OF_BLOCK,
                TicketBackend.BLOCKS.name(),
                nodes));
        return ids(() -> tickets.next("ids"), tickets::close);
    }

    private static Ids ids(LongSupplier next, Runnable close) {
        return new Ids() {
            @Override
            public long next() {
                return next.getAsLong();
            }

            @Override
            public void close() {
                close.run();
            }
        };
    }

    private void lease(Cell cell, int numbers, CompletableFuture<Ids> source) {
        while (!source.isDone()) {
            try {
                LeasedIds leased = LeasedIds.open(new CellLedger(cell, clock), options.window(), numbers, clock);
                if (!source.complete(ids(leased::next, leased::close))) {
                    leased.close();
                }
            } catch (DistributedIdException e) {
                System.err.println(e.getMessage());
                pause();
            }
        }
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void execute(ExecutorService executor, Message message, Runnable reply) {
        try {
            executor.execute(reply);
        } catch (RejectedExecutionException e) {
            out.accept(message.refusal(Errors.TEMPORARILY_UNAVAILABLE, "This node stops"));
        }
    }

    private static Message id(Member self, Message message) {
        if (!self.source.isDone()) {
            return message.refusal(Errors.TEMPORARILY_UNAVAILABLE, "This node has no worker number yet");
        }
        try {
            return message.answer("generate_ok", Map.of("id", self.source.join().next()));
        } catch (DistributedIdException | CancellationException e) {
            return message.refusal(Errors.TEMPORARILY_UNAVAILABLE, String.valueOf(e.getMessage()));
        }
    }

    private static Message reserve(Message message, Counter counter) throws IOException, InterruptedException {
        long count = message.number("count");
        if (count < 1 || count > Counter.MOST) {
            throw new IllegalArgumentException("count=" + count + ", allowed: 1 to " + Counter.MOST);
        }
        Block block = counter.reserve(count);
        return message.answer(
                "reserve_ok", Map.of("first", block.first(), "step", block.step(), "count", block.count()));
    }

    /** Answers a request of another node. */
    @FunctionalInterface
    private interface Reply<T> {

        Message to(T kept) throws IOException, InterruptedException;
    }

    private <T> void answer(Message message, Optional<T> kept, Reply<T> reply) {
        if (kept.isEmpty()) {
            out.accept(notSupported(message));
            return;
        }
        execute(files, message, () -> {
            try {
                out.accept(reply.to(kept.get()));
            } catch (IllegalArgumentException e) {
                out.accept(message.refusal(Errors.MALFORMED_REQUEST, e.getMessage()));
            } catch (IOException e) {
                // It may be done: an error that says it is not would be wrong.
                out.accept(message.refusal(Errors.TIMEOUT, e.toString()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
    }

    /**
     * Gives no more ids, and hands back what is left. Returns when no thread of this node writes a file any more. Needs
     * the reading thread, which brings the answers.
     */
    void close() {
        makers.shutdown();
        member.ifPresent(self -> {
            if (!self.source.cancel(false)) {
                self.source.join().close();
            }
        });
        for (ExecutorService each : List.of(leases, files)) {
            each.shutdown();
            try {
                if (!each.awaitTermination(STOP_SECONDS, TimeUnit.SECONDS)) {
                    System.err.println("A thread of this node still runs after " + STOP_SECONDS + " s");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private static Message notSupported(Message message) {
        return message.refusal(Errors.NOT_SUPPORTED, "This node does not answer " + message.type());
    }
}
