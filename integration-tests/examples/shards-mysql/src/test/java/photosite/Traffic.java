package photosite;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.IntStream;

/** Members who upload photos and comment on them, all at the same time; remembers each row that was stored. */
final class Traffic implements AutoCloseable {

    private static final int THREADS = 4;

    private static final int BATCH = 25;

    private static final int LIMIT_SECONDS = 120;

    private final PhotoSite site;

    private final List<Long> users;

    private final ExecutorService threads = Executors.newFixedThreadPool(THREADS);

    private final List<Future<Void>> batches = new ArrayList<>();

    private final Map<Long, String> photos = new HashMap<>();

    private final Map<Long, Long> comments = new HashMap<>();

    Traffic(PhotoSite site, List<Long> users) {
        this.site = site;
        this.users = users;
    }

    void start(int photos) {
        IntStream.range(0, photos / BATCH)
                .<Callable<Void>>mapToObj(number -> () -> {
                    upload(number);
                    return null;
                })
                .forEach(batch -> batches.add(threads.submit(batch)));
    }

    private void upload(int number) {
        long user = users.get(number % users.size());
        List<String> titles = IntStream.range(0, BATCH)
                .mapToObj(photo -> title(user, number + "-" + photo))
                .toList();
        List<Photo> uploaded = site.upload(user, titles);
        long first = uploaded.get(0).id();
        Comment comment = site.comment(users.get((number + 1) % users.size()), user, first, "How nice!");
        synchronized (this) {
            uploaded.forEach(photo -> photos.put(photo.id(), photo.title()));
            comments.put(comment.id(), first);
            notifyAll();
        }
    }

    static String title(long user, String name) {
        return user + ": " + name;
    }

    /** Returns when so many photos are stored; fails if they are not in time. */
    synchronized void await(int count) throws InterruptedException, TimeoutException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(LIMIT_SECONDS);
        while (photos.size() < count) {
            long left = TimeUnit.NANOSECONDS.toMillis(deadline - System.nanoTime());
            if (left <= 0) {
                throw new TimeoutException(photos.size() + " photos are stored, expected: " + count);
            }
            wait(left);
        }
    }

    /** Returns when all is stored; fails if anything was not. */
    void finish() throws Exception {
        for (Future<Void> batch : batches) {
            batch.get(LIMIT_SECONDS, TimeUnit.SECONDS);
        }
    }

    /** The title of each photo. */
    synchronized Map<Long, String> photos() {
        return Map.copyOf(photos);
    }

    /** The photo of each comment. */
    synchronized Map<Long, Long> comments() {
        return Map.copyOf(comments);
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
