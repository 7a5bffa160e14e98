package io.distributedid.it;

import io.distributedid.DistributedIds;
import io.distributedid.hibernate.DistributedIdService;
import io.distributedid.testkit.TestDatabase;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/** A persistence unit on an H2 database of its own, which outlives its SessionFactories. */
final class Unit {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final List<Class<?>> entities;

    private final Map<String, Object> settings = new LinkedHashMap<>();

    private final String url = freshDatabase();

    private Unit(List<Class<?>> entities) {
        this.entities = entities;
        with("hibernate.connection.url", url);
        with("hibernate.hbm2ddl.auto", "create");
        // Else a statement that fails in the schema export is only logged.
        with("hibernate.hbm2ddl.halt_on_error", "true");
    }

    static String freshDatabase() {
        return "jdbc:h2:mem:test" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1";
    }

    /** With the sequence table in its own database. */
    static Unit of(Class<?>... entities) {
        return of(BackendSettings.SEQUENCE_TABLE, entities);
    }

    static Unit of(BackendSettings backend, Class<?>... entities) {
        Unit unit = new Unit(List.of(entities));
        unit.settings.putAll(backend.settings());
        return unit;
    }

    Unit with(String setting, Object value) {
        settings.put(setting, value);
        return this;
    }

    Unit without(String setting) {
        settings.remove(setting);
        return this;
    }

    SessionFactory start() {
        Configuration configuration = new Configuration();
        entities.forEach(configuration::addAnnotatedClass);
        configuration.getProperties().putAll(settings);
        return configuration.buildSessionFactory();
    }

    String url() {
        return url;
    }

    /** The first column of every row, as text. */
    List<String> query(String sql) {
        return new TestDatabase(url).query(sql);
    }

    void execute(String sql) {
        new TestDatabase(url).execute(sql);
    }

    List<String> sequences() {
        return sequences("sequence");
    }

    /** The names in a sequence table, without the library's own, which begin with {@code @}. */
    List<String> sequences(String table) {
        return query("SELECT name FROM " + table + " WHERE name NOT LIKE '@%' ORDER BY name");
    }

    /** Sets the last id that a sequence has given. */
    void count(String sequence, long id) {
        execute("MERGE INTO sequence (name, id) KEY (name) VALUES ('" + sequence + "', " + id + ")");
    }

    /** The tables of all schemas but H2's own, as {@code SCHEMA.TABLE}. */
    List<String> tables() {
        return query("SELECT table_schema || '.' || table_name FROM information_schema.tables"
                + " WHERE table_schema <> 'INFORMATION_SCHEMA' ORDER BY 1");
    }

    static DistributedIds ids(SessionFactory factory) {
        return DistributedIdService.of(factory).ids();
    }

    /** Persists one entity in a transaction of its own. */
    static <T> T persist(SessionFactory factory, T entity) {
        factory.inTransaction(session -> session.persist(entity));
        return entity;
    }

    static Object id(SessionFactory factory, Object entity) {
        return factory.getPersistenceUnitUtil().getIdentifier(entity);
    }
}
