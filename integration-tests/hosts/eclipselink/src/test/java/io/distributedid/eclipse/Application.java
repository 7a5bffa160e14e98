package io.distributedid.eclipse;

import io.distributedid.eclipselink.DistributedIdCustomizer;
import io.distributedid.testkit.TestDatabase;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Persistence;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A persistence unit on an H2 database of its own. */
final class Application {

    static final String ACTION = "jakarta.persistence.schema-generation.database.action";

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String url = "jdbc:h2:mem:eclipse" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1";

    private final Map<String, Object> settings = new HashMap<>();

    private final String unit;

    Application(String unit) {
        this.unit = unit;
        with("eclipselink.session-name", url);
        with(ACTION, "create");
    }

    static Application onUrl() {
        Application application = new Application("photos");
        return application.with("jakarta.persistence.jdbc.url", application.url);
    }

    Application with(String setting, Object value) {
        settings.put(setting, value);
        return this;
    }

    String url() {
        return url;
    }

    EntityManagerFactory start() {
        return Persistence.createEntityManagerFactory(unit, settings);
    }

    static long next(EntityManagerFactory factory, String sequence) {
        return DistributedIdCustomizer.ids(factory).next(sequence);
    }

    static <T> T inTransaction(EntityManagerFactory factory, Function<EntityManager, T> work) {
        try (EntityManager manager = factory.createEntityManager()) {
            manager.getTransaction().begin();
            try {
                T result = work.apply(manager);
                manager.getTransaction().commit();
                return result;
            } finally {
                if (manager.getTransaction().isActive()) {
                    manager.getTransaction().rollback();
                }
            }
        }
    }

    static List<Photo> persist(EntityManagerFactory factory, int count) {
        return inTransaction(factory, manager -> persist(manager, count));
    }

    static List<Photo> persist(EntityManager manager, int count) {
        List<Photo> photos = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            Photo photo = new Photo();
            photo.title = "photo " + i;
            manager.persist(photo);
            photos.add(photo);
        }
        return photos;
    }

    /** The first column, as others see it now. */
    List<String> query(String sql) {
        return new TestDatabase(url).query(sql);
    }

    void execute(String sql) {
        new TestDatabase(url).execute(sql);
    }

    List<String> tables() {
        return query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC' ORDER BY 1");
    }
}
