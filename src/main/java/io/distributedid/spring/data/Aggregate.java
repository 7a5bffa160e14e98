package io.distributedid.spring.data;

import io.distributedid.IdConfigurationException;
import java.util.ArrayList;
import java.util.List;
import org.springframework.data.mapping.PersistentPropertyAccessor;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * What must be done before an aggregate, or an entity in one, is saved.
 *
 * @param generated the properties with values from sequences, the id first
 * @param parts the properties whose entities have such properties, perhaps deeper inside
 */
record Aggregate(
        RelationalPersistentEntity<?> entity,
        List<GeneratedProperty> generated,
        List<RelationalPersistentProperty> parts) {

    /** Whether there is nothing to do. */
    boolean isPlain() {
        return generated.isEmpty() && parts.isEmpty();
    }

    /**
     * The properties that have no value yet.
     *
     * @param isRoot whether Spring Data is asked whether {@code instance} is new; all parts are inserted
     * @throws IdConfigurationException if a new aggregate has an id already, and must not
     */
    List<GeneratedProperty> missing(Object instance, PersistentPropertyAccessor<Object> values, boolean isRoot) {
        List<GeneratedProperty> missing = new ArrayList<>(generated.size());
        for (GeneratedProperty each : generated) {
            Object value = values.getProperty(each.property());
            if (each.isNone(value)) {
                missing.add(each);
            } else if (isRoot && !each.assigned() && entity.isNew(instance)) {
                throw new IdConfigurationException("An entity must not have an id before it is given one: " + each
                        + " has " + value + ". Leave it null, or keep such ids with @DistributedId(assigned = true)");
            }
        }
        return missing;
    }
}
