package benchmarks.persist;

import benchmarks.Stopwatch;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.hibernate.Session;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * One contender's SessionFactory. A turn persists entities in one transaction, with JDBC batches of {@value #BATCH},
 * and flushes and clears the session every {@value #FLUSH}, as bulk loads do; creating the session and the commit
 * count, emptying the table does not.
 */
final class Persister implements AutoCloseable {

    private static final int BATCH = 50;

    private static final int FLUSH = 1_000;

    private final Contender contender;

    private final SessionFactory factory;

    Persister(Contender contender, Database database) {
        this.contender = contender;
        Map<String, Object> settings = new HashMap<>(contender.settings(database));
        settings.put("hibernate.connection.url", database.url(contender.name().toLowerCase(Locale.ROOT)));
        settings.put("hibernate.hbm2ddl.auto", "create");
        settings.put("hibernate.jdbc.batch_size", BATCH);
        settings.put("hibernate.id.optimizer.pooled.preferred", "pooled-lo");
        Configuration configuration = new Configuration().addAnnotatedClass(contender.entity);
        settings.forEach((name, value) -> configuration.getProperties().put(name, value));
        factory = configuration.buildSessionFactory();
    }

    Stopwatch.Spent persist(int count) {
        System.gc();
        Stopwatch watch = new Stopwatch();
        factory.inTransaction(session -> persist(session, count));
        Stopwatch.Spent spent = watch.spent();
        factory.inTransaction(session -> session.createNativeMutationQuery("truncate table " + Rows.TABLE)
                .executeUpdate());
        return spent;
    }

    void persistOne() {
        factory.inTransaction(session -> persist(session, 1));
    }

    private void persist(Session session, int count) {
        for (int i = 1; i <= count; i++) {
            Rows.Row row = contender.constructor.get();
            row.ownedBy(i);
            session.persist(row);
            if (i % FLUSH == 0) {
                session.flush();
                session.clear();
            }
        }
    }

    @Override
    public void close() {
        factory.close();
    }
}
