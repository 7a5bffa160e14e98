package io.distributedid.mysql;

import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.cfg.Configuration;

/**
 * A process that persists photos on two shards with several threads, and prints how many it has after every hundred
 * batches. It ends with exit code 0 only if no {@code persist()} failed.
 */
public final class Uploader {

    static final int BATCH = 50;

    private final List<EntityManagerFactory> shards = new ArrayList<>();

    private final AtomicInteger uploaded = new AtomicInteger();

    private Uploader() {}

    /** Arguments: photos, threads, and the settings of each shard as the text of a properties file. */
    public static void main(String[] args) throws Exception {
        Uploader uploader = new Uploader();
        try {
            uploader.connect(args[2]);
            uploader.connect(args[3]);
            uploader.upload(Integer.parseInt(args[0]), Integer.parseInt(args[1]));
        } finally {
            uploader.shards.forEach(EntityManagerFactory::close);
        }
    }

    private void connect(String text) throws Exception {
        Properties settings = new Properties();
        settings.load(new StringReader(text));
        shards.add(new Configuration()
                .addAnnotatedClass(Photo.class)
                .addProperties(settings)
                .setProperty("hibernate.jdbc.batch_size", Integer.toString(BATCH))
                .buildSessionFactory());
    }

    private void upload(int photos, int threads) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int thread = 0; thread < threads; thread++) {
                int owner = thread;
                all.add(pool.submit(() -> uploadBatches(owner, photos / threads / BATCH)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            pool.shutdownNow();
        }
    }

    private void uploadBatches(int owner, int batches) {
        for (int batch = 0; batch < batches; batch++) {
            EntityManager manager = shards.get(batch % shards.size()).createEntityManager();
            try (manager) {
                manager.getTransaction().begin();
                for (int i = 0; i < BATCH; i++) {
                    manager.persist(new Photo(owner, "photo " + batch + "/" + i));
                }
                manager.getTransaction().commit();
            }
            int now = uploaded.addAndGet(BATCH);
            if (now % (20 * BATCH) == 0) {
                System.out.println(now);
            }
        }
    }

    /** The text of a properties file. */
    static String text(Map<String, String> settings) {
        StringBuilder text = new StringBuilder();
        settings.forEach(
                (name, value) -> text.append(name).append('=').append(value).append('\n'));
        return text.toString();
    }
}
