package io.distributedid.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.distributedid.eclipselink.DistributedIdCustomizer;
import io.distributedid.testkit.TestDatabase;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.Embeddable;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Persistence;
import jakarta.persistence.PersistenceUnitUtil;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/** An EntityManagerFactory of EclipseLink on an H2 database of its own, with ids from the {@link MemoryBackend}. */
final class Unit implements AutoCloseable {

    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final List<Unit> STARTED = new ArrayList<>();

    private static final String PERSISTENCE = """
            <persistence xmlns="https://jakarta.ee/xml/ns/persistence" version="3.0">
              <persistence-unit name="%s">
                <provider>org.eclipse.persistence.jpa.PersistenceProvider</provider>
                %s
                <exclude-unlisted-classes>true</exclude-unlisted-classes>
              </persistence-unit>
            </persistence>
            """;

    private final String name = "matrix" + DATABASES.incrementAndGet();

    private final String url = "jdbc:h2:mem:" + name + ";DB_CLOSE_DELAY=-1";

    private final Map<String, Object> settings = new HashMap<>();

    private final Set<Class<?>> classes = new LinkedHashSet<>();

    private String xml = "";

    private EntityManagerFactory factory;

    /** Rows that were there before what may be refused. */
    private int kept;

    private Unit() {
        with("jakarta.persistence.jdbc.url", url);
        with("jakarta.persistence.schema-generation.database.action", "create");
        with("eclipselink.session.customizer", DistributedIdCustomizer.class.getName());
        with("eclipselink.deploy-on-startup", "true");
        with("eclipselink.logging.level", "OFF");
        with("distributedid.backend", MemoryBackend.class.getName());
    }

    /** With the mapped superclasses, embeddables and converters around the entities, which EclipseLink must be told. */
    static Unit of(Class<?>... entities) {
        Unit unit = new Unit();
        for (Class<?> entity : entities) {
            unit.classes.add(entity);
            for (Class<?> each = entity; each != null && each != Object.class; each = each.getSuperclass()) {
                unit.add(each);
            }
        }
        return unit;
    }

    private void add(Class<?> type) {
        if (type.isAnnotationPresent(MappedSuperclass.class)) {
            classes.add(type);
        }
        Arrays.stream(type.getDeclaredFields())
                .flatMap(field -> Arrays.stream(field.getAnnotationsByType(Convert.class)))
                .forEach(convert -> classes.add(convert.converter()));
        Arrays.stream(type.getDeclaredFields())
                .filter(field -> field.getType().isAnnotationPresent(Embeddable.class))
                .filter(field -> classes.add(field.getType()))
                .forEach(field -> add(field.getType()));
    }

    static void forgetAll() {
        STARTED.clear();
    }

    /** A refusal leaves the tables as they were. */
    static void requireNothingStored(Exception refusal) {
        for (Unit unit : STARTED) {
            int rows = unit.rows();
            if (rows != unit.kept) {
                throw new AssertionError("refused, but there are " + rows + " rows", refusal);
            }
        }
    }

    /** Says that what was stored up to now stays, whatever is refused. */
    void keepRows() {
        kept = rows();
    }

    private int rows() {
        return query("SELECT table_name FROM information_schema.tables WHERE table_schema = 'PUBLIC'").stream()
                .mapToInt(table -> query("SELECT * FROM \"" + table + '"').size())
                .sum();
    }

    Unit with(String setting, Object value) {
        settings.put(setting, value);
        return this;
    }

    /** A mapping file, orm.xml. */
    Unit withXml(String mappings) {
        xml = mappings;
        return this;
    }

    Unit withConverter(Class<? extends AttributeConverter<?, ?>> converter) {
        assertThat(converter.isAnnotationPresent(Converter.class)).isTrue();
        classes.add(converter);
        return this;
    }

    /** The column of the table. */
    static String version() {
        return "EclipseLink " + org.eclipse.persistence.Version.getVersion();
    }

    Unit start() {
        STARTED.add(this);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try {
            Path folder = Files.createTempDirectory(Path.of("target"), "matrix");
            Files.createDirectory(folder.resolve("META-INF"));
            StringBuilder listed = new StringBuilder();
            if (!xml.isEmpty()) {
                Files.writeString(folder.resolve("META-INF/mappings.xml"), xml);
                listed.append("<mapping-file>META-INF/mappings.xml</mapping-file>");
            }
            classes.forEach(
                    type -> listed.append("<class>").append(type.getName()).append("</class>"));
            Files.writeString(folder.resolve("META-INF/persistence.xml"), PERSISTENCE.formatted(name, listed));
            thread.setContextClassLoader(
                    new URLClassLoader(new URL[] {folder.toUri().toURL()}, before));
            factory = Persistence.createEntityManagerFactory(name, settings);
            return this;
        } catch (IOException e) {
            throw new AssertionError(e);
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** What the cases use of a SessionFactory. */
    record Factory(EntityManagerFactory factory) {

        void inTransaction(Consumer<EntityManager> work) {
            fromTransaction(manager -> {
                work.accept(manager);
                return null;
            });
        }

        <T> T fromTransaction(Function<EntityManager, T> work) {
            return fromSession(manager -> {
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
            });
        }

        <T> T fromSession(Function<EntityManager, T> work) {
            try (EntityManager manager = factory.createEntityManager()) {
                return work.apply(manager);
            }
        }

        PersistenceUnitUtil getPersistenceUnitUtil() {
            return factory.getPersistenceUnitUtil();
        }
    }

    Factory factory() {
        return new Factory(factory);
    }

    <T> T persist(T entity) {
        factory().inTransaction(manager -> manager.persist(entity));
        return entity;
    }

    <T> T merge(T entity) {
        return factory().fromTransaction(manager -> manager.merge(entity));
    }

    void insert(Object entity) {
        throw new NotOffered("StatelessSession.insert of " + entity);
    }

    void insertMultiple(Object... entities) {
        throw new NotOffered("StatelessSession.insertMultiple of " + List.of(entities));
    }

    void upsert(Object entity) {
        throw new NotOffered("StatelessSession.upsert of " + entity);
    }

    void hql(String statement) {
        throw new NotOffered("HQL: " + statement);
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
