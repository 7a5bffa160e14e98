package io.distributedid.maelstrom;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Asks other nodes and Maelstrom's services, and hands their answers to those who wait. Thread-safe.
 *
 * <p>The first {@code msg_id} is random. A node that is started again has the name of the one before, and may get an
 * answer to a request of that one. With numbers from 1 it would take that for the answer to a request of its own, and
 * believe that a compare-and-set was done.
 */
final class Peers {

    private static final long RANDOM_BOUND = 1L << 52;

    private final String self;

    private final Consumer<Message> out;

    private final Duration timeout;

    private final AtomicLong lastId = new AtomicLong(new SecureRandom().nextLong(RANDOM_BOUND));

    private final Map<Long, CompletableFuture<Message>> waiting = new ConcurrentHashMap<>();

    /**
     * @param self the name of this node
     * @param timeout of each request
     */
    Peers(String self, Consumer<Message> out, Duration timeout) {
        this.self = self;
        this.out = out;
        this.timeout = timeout;
    }

    /**
     * Sends a request once, and waits for its answer, which may be an error.
     *
     * @throws IOException if there was none in time; the request may be done, or be done later
     */
    Message ask(String dest, String type, Map<String, Object> more) throws IOException, InterruptedException {
        long id = lastId.incrementAndGet();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put("type", type);
        body.put("msg_id", id);
        body.putAll(more);
        CompletableFuture<Message> answer = new CompletableFuture<>();
        waiting.put(id, answer);
        try {
            out.accept(new Message(self, dest, body));
            return answer.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new IOException(dest + " has not answered " + type + " in " + timeout.toMillis() + " ms", e);
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        } finally {
            waiting.remove(id);
        }
    }

    /** Takes an answer. Ignores one that nobody waits for: it is late, or came twice. */
    void answered(long id, Message answer) {
        CompletableFuture<Message> waits = waiting.get(id);
        if (waits != null) {
            waits.complete(answer);
        }
    }
}
