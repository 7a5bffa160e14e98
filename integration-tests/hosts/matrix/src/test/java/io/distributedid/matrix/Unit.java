package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.testkit.TestDatabase;
import jakarta.persistence.AttributeConverter;
import java.io.ByteArrayInputStream;
import java.lang.reflect.InvocationTargetException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.hibernate.Version;
import org.hibernate.boot.registry.BootstrapServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;

/** A SessionFactory on an H2 database of its own, with ids from the {@link MemoryBackend}. */
final class Unit implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final List<Unit> STARTED = new ArrayList<>();

    private final Configuration configuration;

    private final String url = "jdbc:h2:mem:matrix" + DATABASES.incrementAndGet() + ";DB_CLOSE_DELAY=-1";

    private SessionFactory factory;

    /** Rows that were there before what may be refused. */
    private int kept;

    private Unit(Configuration configuration) {
        this.configuration = configuration;
        with("hibernate.connection.url", url);
        with("hibernate.hbm2ddl.auto", "create");
        with("hibernate.hbm2ddl.halt_on_error", "true");
        with("distributedid.backend", MemoryBackend.class.getName());
    }

    static Unit of(Class<?>... entities) {
        return of(new Configuration(), entities);
    }

    /** Whose classes are loaded by a class loader of their own. */
    static Unit of(ClassLoader loader, Class<?>... entities) {
        return of(
                new Configuration(new BootstrapServiceRegistryBuilder()
                        .applyClassLoader(loader)
                        .build()),
                entities);
    }

    private static Unit of(Configuration configuration, Class<?>... entities) {
        Unit unit = new Unit(configuration);
        for (Class<?> entity : entities) {
            unit.configuration.addAnnotatedClass(entity);
        }
        return unit;
    }

    static void forgetAll() {
        STARTED.clear();
    }

    /** A refusal leaves the tables as they were. */
    static void requireNothingStored(Exception refusal) {
        for (Unit unit : STARTED) {
            int rows = 0;
            for (String table : unit.query("SELECT table_name FROM information_schema.tables"
                    + " WHERE table_schema = 'PUBLIC' AND table_name NOT LIKE 'HT%'")) {
                rows += Integer.parseInt(
                        unit.query("SELECT count(*) FROM \"" + table + '"').get(0));
            }
            if (rows != unit.kept) {
                throw new AssertionError("refused, but there are " + rows + " rows", refusal);
            }
        }
    }

    Unit with(String setting, Object value) {
        configuration.getProperties().put(setting, value);
        return this;
    }

    /** A mapping file, orm.xml or hbm.xml. */
    Unit withXml(String xml) {
        configuration.addInputStream(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
        return with("hibernate.transform_hbm_xml.enabled", "false");
    }

    Unit withConverter(Class<? extends AttributeConverter<?, ?>> converter) {
        configuration.addAttributeConverter(converter);
        return this;
    }

    /** The column of the table. */
    static String version() {
        return Version.getVersionString().replace(".Final", "");
    }

    Configuration configuration() {
        return configuration;
    }

    Unit start() {
        STARTED.add(this);
        factory = configuration.buildSessionFactory();
        return this;
    }

    SessionFactory factory() {
        return factory;
    }

    /** Says that what was stored up to now stays, whatever is refused. */
    void keepRows() {
        kept = 0;
        for (String table : query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'")) {
            kept += Integer.parseInt(
                    query("SELECT count(*) FROM \"" + table + '"').get(0));
        }
    }

    String url() {
        return url;
    }

    <T> T persist(T entity) {
        factory.inTransaction(session -> session.persist(entity));
        return entity;
    }

    <T> T merge(T entity) {
        return factory.fromTransaction(session -> session.merge(entity));
    }

    void insert(Object entity) {
        factory.inStatelessTransaction(session -> session.insert(entity));
    }

    /** Not in Hibernate 6.6. */
    void insertMultiple(Object... entities) {
        factory.inStatelessTransaction(session -> {
            try {
                StatelessSession.class.getMethod("insertMultiple", List.class).invoke(session, List.of(entities));
            } catch (NoSuchMethodException e) {
                throw new UnsupportedOperationException("no StatelessSession.insertMultiple");
            } catch (InvocationTargetException e) {
                throw (RuntimeException) e.getCause();
            } catch (IllegalAccessException e) {
                throw new AssertionError(e);
            }
        });
    }

    void upsert(Object entity) {
        factory.inStatelessTransaction(session -> session.upsert(entity));
    }

    void hql(String statement) {
        factory.inTransaction(session -> session.createMutationQuery(statement).executeUpdate());
    }

    /** The first column of every row, as text. */
    List<String> query(String sql) {
        return new TestDatabase(url).query(sql);
    }

    void execute(String sql) {
        new TestDatabase(url).execute(sql);
    }

    /** Every id of the sequence is in the column, once, and nothing else. */
    void requireRows(String table, String column, String sequence) {
        List<String> ids =
                MemoryBackend.given(sequence).stream().map(String::valueOf).toList();
        assertThat(query("SELECT " + column + " FROM " + table))
                .as(table + "." + column)
                .isNotEmpty()
                .containsExactlyInAnyOrderElementsOf(ids);
    }

    @Override
    public void close() {
        if (factory != null) {
            factory.close();
        }
    }
}
