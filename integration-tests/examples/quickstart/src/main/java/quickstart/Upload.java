package quickstart;

import java.time.Instant;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.stream.IntStream;

/** Many users upload photos at the same time. Every tenth photo gets a comment. */
final class Upload {

    static final int PHOTOS = 4_000;

    static final int COMMENTS = PHOTOS / 10;

    private static final int THREADS = 4;

    private static final int BATCH = 50;

    private final Shards shards;

    private final List<User> users;

    private final IntConsumer progress;

    private int uploaded;

    /** Tells {@code progress} the number of photos whenever another tenth is stored. */
    Upload(Shards shards, List<User> users, IntConsumer progress) {
        this.shards = shards;
        this.users = users;
        this.progress = progress;
    }

    /** Returns when all photos are stored, and fails if one was not. */
    void run() throws Exception {
        List<Callable<Void>> batches = IntStream.range(0, PHOTOS / BATCH)
                .<Callable<Void>>mapToObj(number -> () -> {
                    store(users.get(number % users.size()), users.get((number + 1) % users.size()));
                    stored();
                    return null;
                })
                .toList();
        ExecutorService threads = Executors.newFixedThreadPool(THREADS);
        try {
            for (Future<Void> batch : threads.invokeAll(batches)) {
                batch.get();
            }
        } finally {
            threads.shutdown();
        }
    }

    private void store(User user, User friend) {
        shards.homeOf(user).runInTransaction(entities -> {
            for (int i = 0; i < BATCH; i++) {
                Photo photo = new Photo(entities.getReference(User.class, user.id()), Instant.now());
                entities.persist(photo);
                if (i % 10 == 0) {
                    entities.persist(new Comment(photo, friend, "How nice!"));
                }
            }
        });
    }

    private synchronized void stored() {
        uploaded += BATCH;
        if (uploaded % (PHOTOS / 10) == 0) {
            progress.accept(uploaded);
        }
    }
}
