package benchmarks.scale;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.hibernate.SessionFactory;
import org.hibernate.boot.MetadataSources;
import org.hibernate.boot.registry.StandardServiceRegistry;
import org.hibernate.boot.registry.StandardServiceRegistryBuilder;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.SchemaToolingSettings;
import org.hibernate.tool.schema.spi.SchemaManagementToolCoordinator;

/** A persistence unit of many entities. */
record Unit(Map<String, Object> settings, List<Class<?>> entities) {

    /** Creates the tables, without a start: nothing is in them, no counter either. */
    void export() {
        try (StandardServiceRegistry registry =
                new StandardServiceRegistryBuilder().applySettings(settings).build()) {
            MetadataSources sources = new MetadataSources(registry);
            entities.forEach(sources::addAnnotatedClass);
            Map<String, Object> create = new HashMap<>(settings);
            create.put(SchemaToolingSettings.JAKARTA_HBM2DDL_DATABASE_ACTION, "create");
            SchemaManagementToolCoordinator.process(sources.buildMetadata(), registry, create, action -> {});
        }
    }

    /** Starts, on tables that are there. */
    SessionFactory start() {
        Configuration configuration = new Configuration();
        entities.forEach(configuration::addAnnotatedClass);
        settings.forEach((name, value) -> configuration.getProperties().put(name, value));
        return configuration.buildSessionFactory();
    }

    /** The first row of each, in a transaction of its own. */
    void persistEach(SessionFactory factory) {
        for (Class<?> entity : entities) {
            factory.inTransaction(session -> session.persist(created(entity)));
        }
    }

    private static Object created(Class<?> entity) {
        try {
            return entity.getDeclaredConstructor().newInstance();
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
        }
    }
}
