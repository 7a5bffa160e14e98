package io.distributedid.hibernate.internal.generate;

import io.distributedid.IdConfigurationException;
import org.hibernate.metamodel.mapping.EntityMappingType;

/** The sequence from which an entity takes its ids. */
public final class EntitySequence {

    private EntitySequence() {}

    /** Fails if the entity's id comes from elsewhere, or has several columns. */
    public static String of(EntityMappingType entity) {
        if (entity.getEntityPersister().getGenerator() instanceof DistributedIdGenerator generator) {
            return generator.sequence(entity.getEntityPersister().getFactory());
        }
        throw new IdConfigurationException("An entity must have one id that is a @DistributedId: entity="
                + entity.getEntityName() + ". For a part of a composite id, name the sequence");
    }
}
