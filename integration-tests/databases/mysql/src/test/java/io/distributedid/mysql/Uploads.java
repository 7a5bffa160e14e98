package io.distributedid.mysql;

import io.distributedid.testkit.Await;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.cfg.Configuration;

/** Applications that persist photos on two shards, each with several threads, and how far they have come together. */
final class Uploads implements AutoCloseable {

    private static final int BATCH = 50;

    private final ExecutorService pool = Executors.newCachedThreadPool();

    private final List<EntityManagerFactory> all = new ArrayList<>();

    private final List<Future<?>> running = new ArrayList<>();

    private final AtomicInteger uploaded = new AtomicInteger();

    /** Starts one more. */
    void start(int photos, int threads, List<Map<String, String>> shards) {
        List<EntityManagerFactory> own = shards.stream().map(Uploads::connect).toList();
        all.addAll(own);
        for (int thread = 0; thread < threads; thread++) {
            int owner = thread;
            running.add(pool.submit(() -> upload(own, owner, photos / threads / BATCH)));
        }
    }

    private static EntityManagerFactory connect(Map<String, String> settings) {
        Properties all = new Properties();
        all.putAll(settings);
        return new Configuration()
                .addAnnotatedClass(Photo.class)
                .addProperties(all)
                .setProperty("hibernate.jdbc.batch_size", Integer.toString(BATCH))
                .buildSessionFactory();
    }

    private void upload(List<EntityManagerFactory> shards, int owner, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            try (EntityManager manager = shards.get(batch % shards.size()).createEntityManager()) {
                manager.getTransaction().begin();
                for (int i = 0; i < BATCH; i++) {
                    manager.persist(new Photo(owner, "photo " + batch + "/" + i));
                }
                manager.getTransaction().commit();
            }
            uploaded.addAndGet(BATCH);
        }
    }

    /** Returns when that many photos are uploaded, or a thread has ended. */
    void awaitPhotos(int photos) {
        Await.until(
                photos + " photos are uploaded",
                () -> uploaded.get() >= photos || running.stream().anyMatch(Future::isDone),
                uploaded::get);
    }

    /** Returns when all have ended; fails if a {@code persist()} has. */
    void end() throws Exception {
        for (Future<?> each : running) {
            each.get(Await.PATIENCE.toSeconds(), TimeUnit.SECONDS);
        }
    }

    @Override
    public void close() {
        pool.shutdownNow();
        all.forEach(EntityManagerFactory::close);
    }
}
