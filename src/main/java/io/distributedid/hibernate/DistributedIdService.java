package io.distributedid.hibernate;

import io.distributedid.DecodedId;
import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.EntitySequence;
import jakarta.persistence.EntityManagerFactory;
import java.time.Instant;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * What an application asks a SessionFactory for: its sequences, to take ids for rows that it inserts by SQL, and what
 * the ids of its entities say. Thread-safe.
 */
public final class DistributedIdService {

    private final SessionFactoryImplementor factory;

    private DistributedIdService(SessionFactoryImplementor factory) {
        this.factory = factory;
    }

    /**
     * That of a SessionFactory, which is Hibernate's EntityManagerFactory.
     *
     * @param factory open
     * @return its service
     */
    public static DistributedIdService of(EntityManagerFactory factory) {
        return new DistributedIdService(factory.unwrap(SessionFactoryImplementor.class));
    }

    /**
     * The sequences.
     *
     * @return open as long as the SessionFactory
     */
    public DistributedIds ids() {
        return UnitIds.of(factory).ids();
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
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or holds no
     *     time
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
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or holds no
     *     time
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
     * @throws IdConfigurationException if the entity's id is no {@link io.distributedid.DistributedId}, or carries no
     *     shard
     */
    public long shardOf(Class<?> entity, long id) {
        return ids().shardOf(sequence(entity), id);
    }

    private String sequence(Class<?> entity) {
        return EntitySequence.of(factory.getMappingMetamodel().getEntityDescriptor(entity));
    }
}
