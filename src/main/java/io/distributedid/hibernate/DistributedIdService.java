package io.distributedid.hibernate;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.EntitySequence;
import io.distributedid.spi.IdShard;
import io.distributedid.spi.IdTime;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * The ids of a SessionFactory for the application: takes ids for rows that the application inserts by SQL, and decodes
 * the ids of its entities. Thread-safe.
 */
public final class DistributedIdService {

    private final SessionFactoryImplementor factory;

    private DistributedIdService(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    /**
     * Returns the service of a SessionFactory, which is Hibernate's EntityManagerFactory.
     *
     * @param factory must be open
     * @return its service
     */
    public static DistributedIdService of(EntityManagerFactory factory) {
        return new DistributedIdService(factory.unwrap(SessionFactoryImplementor.class));
    }

    /**
     * Returns the sequences.
     *
     * @return open as long as the SessionFactory
     */
    public DistributedIds ids() {
        return UnitIds.of(factory).ids();
    }

    /**
     * Decodes the id of an entity; see {@link DistributedIds#decode}.
     *
     * @param entity its class
     * @param id one of its ids
     * @return its time and fields
     * @throws IdConfigurationException if the entity's id is not a {@link io.distributedid.DistributedId}
     */
    public DecodedId decode(Class<?> entity, long id) {
        return ids().decode(sequence(entity), id);
    }

    /**
     * Returns the smallest id of an entity at an instant; see {@link IdTime#floor}.
     *
     * @param entity its class
     * @param instant any; outside the range of the layout's time field, the nearest instant inside is used
     * @return that id
     * @throws IdConfigurationException if the entity's id is not a {@link io.distributedid.DistributedId}, or holds no
     *     time
     */
    public long floor(Class<?> entity, Instant instant) {
        return ids().time(sequence(entity)).floor(instant);
    }

    /**
     * Returns the largest id of an entity at an instant; see {@link IdTime#ceiling}.
     *
     * @param entity its class
     * @param instant any; outside the range of the layout's time field, the nearest instant inside is used
     * @return that id
     * @throws IdConfigurationException if the entity's id is not a {@link io.distributedid.DistributedId}, or holds no
     *     time
     */
    public long ceiling(Class<?> entity, Instant instant) {
        return ids().time(sequence(entity)).ceiling(instant);
    }

    /**
     * Reads the logical shard of an entity's row from its id; see {@link IdShard#of}.
     *
     * @param entity its class
     * @param id one of its ids
     * @return from 0
     * @throws IdConfigurationException if the entity's id is not a {@link io.distributedid.DistributedId}, or carries
     *     no shard
     */
    public long shardOf(Class<?> entity, long id) {
        return ids().shard(sequence(entity)).of(id);
    }

    private String sequence(Class<?> entity) {
        return EntitySequence.of(factory.getMappingMetamodel().getEntityDescriptor(entity));
    }
}
