package chat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Threads that write into all conversations at the same time. Every seventh transaction is rolled back. */
final class Writers implements AutoCloseable {

    static final int THREADS = 4;

    static final int TRANSACTIONS = 700;

    /** In each transaction. */
    static final int MESSAGES = 2;

    static final long COMMITTED = (long) THREADS * (TRANSACTIONS - TRANSACTIONS / 7) * MESSAGES;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private final List<Future<?>> running = new ArrayList<>();

    Writers(Shards shards, List<Long> conversations) {
        for (int thread = 0; thread < THREADS; thread++) {
            running.add(threads.submit(() -> {
                for (int i = 1; i <= TRANSACTIONS; i++) {
                    write(shards, conversations.get(i % conversations.size()), i % 7 == 0);
                }
            }));
        }
    }

    private static void write(Shards shards, long conversation, boolean failing) {
        shards.of(conversation).runInTransaction(entities -> {
            for (int i = 0; i < MESSAGES; i++) {
                entities.persist(new Message(conversation, "Hello!"));
            }
            if (failing) {
                // The numbers are taken here, and the rollback gives them back.
                entities.flush();
                entities.getTransaction().setRollbackOnly();
            }
        });
    }

    boolean areDone() {
        return running.stream().allMatch(Future::isDone);
    }

    /** Fails if one of them did. */
    void await() throws Exception {
        for (Future<?> each : running) {
            each.get();
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
