package io.distributedid.hibernate;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.Settings;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.service.Service;
import org.hibernate.service.spi.Configurable;
import org.hibernate.service.spi.ServiceRegistryAwareService;
import org.hibernate.service.spi.ServiceRegistryImplementor;
import org.hibernate.service.spi.Stoppable;
import org.jspecify.annotations.Nullable;

/**
 * The sequences of one SessionFactory, closed with it.
 *
 * <p>An application gets them with {@link #of}, to decode ids or to take ids for rows that it inserts by SQL. Thread-safe.
 */
public final class DistributedIdService implements Service, Configurable, ServiceRegistryAwareService, Stoppable {

    private static final long serialVersionUID = 1L;

    private final transient SessionFactoryImplementor factory;

    private transient @Nullable ServiceRegistryImplementor registry;

    private transient @Nullable DistributedIds ids;

    private transient @Nullable ConnectionAccess ownDatabase;

    private transient Settings settings = Settings.of(Map.of());

    /** For Hibernate. */
    DistributedIdService(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    /**
     * The service of a SessionFactory, which is Hibernate's EntityManagerFactory.
     *
     * @param factory open
     * @return its service
     */
    public static DistributedIdService of(EntityManagerFactory factory) {
        return factory.unwrap(SessionFactoryImplementor.class)
                .getServiceRegistry()
                .requireService(DistributedIdService.class);
    }

    /**
     * The sequences.
     *
     * @return open as long as the SessionFactory
     */
    public DistributedIds ids() {
        DistributedIds configured = ids;
        if (configured == null) {
            throw new IllegalStateException("The service was not configured by Hibernate");
        }
        return configured;
    }

    /**
     * Takes the id of an entity apart; see {@link DistributedIds#decode}.
     *
     * @param entity its class
     * @param id one of its ids
     * @return what it says of itself
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}
     */
    public DecodedId decode(Class<?> entity, long id) {
        return ids().decode(sequence(entity), id);
    }

    /**
     * The smallest id of an entity that an instant can have; see {@link DistributedIds#floor}.
     *
     * @param entity its class
     * @param instant any; one outside of the layout's time counts as the nearest inside
     * @return that id
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or holds no time
     */
    public long floor(Class<?> entity, Instant instant) {
        return ids().floor(sequence(entity), instant);
    }

    /**
     * The largest id of an entity that an instant can have; see {@link DistributedIds#ceiling}.
     *
     * @param entity its class
     * @param instant any; one outside of the layout's time counts as the nearest inside
     * @return that id
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or holds no time
     */
    public long ceiling(Class<?> entity, Instant instant) {
        return ids().ceiling(sequence(entity), instant);
    }

    /**
     * The logical shard of an entity's row, by its key alone; see {@link DistributedIds#shardOf}.
     *
     * @param entity its class
     * @param id one of its ids
     * @return from 0
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or carries no shard
     */
    public long shardOf(Class<?> entity, long id) {
        return ids().shardOf(sequence(entity), id);
    }

    private String sequence(Class<?> entity) {
        return EntitySequence.of(factory.getMappingMetamodel().getEntityDescriptor(entity));
    }

    /** The persistence unit's; empty if every connection belongs to a tenant. */
    Optional<ConnectionAccess> ownDatabase() {
        return Optional.ofNullable(ownDatabase);
    }

    /** The settings from which {@link #ids} was made. */
    Settings settings() {
        return settings;
    }

    @Override
    public void injectServices(ServiceRegistryImplementor serviceRegistry) {
        registry = serviceRegistry;
    }

    @Override
    public void configure(Map<String, Object> all) {
        settings = Settings.of(all);
        DistributedIds.Builder builder = DistributedIds.builder().settings(all).tokensComparedByCaller();
        if (registry != null) {
            Optional<ConnectionAccess> own = OwnDatabase.of(all, registry);
            own.ifPresent(builder::ownDatabase);
            ownDatabase = own.orElse(null);
        }
        ids = builder.build();
    }

    @Override
    public void stop() {
        if (ids != null) {
            ids.close();
        }
    }
}
