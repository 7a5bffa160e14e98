package io.distributedid.spring.data;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.SequenceUse;
import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * A property whose value comes from a sequence.
 *
 * @param isId whether it is the id, and not another column
 * @param assigned whether a new aggregate may come with an id
 */
record GeneratedProperty(
        RelationalPersistentProperty property, String sequence, IdFormat format, boolean isId, boolean assigned) {

    /** Its name in messages. */
    String usedBy() {
        return property.getOwner().getType().getName() + "." + property.getName();
    }

    long maxValue() {
        return format.width().maxValue();
    }

    SequenceUse use() {
        return new SequenceUse(sequence, usedBy(), format.width());
    }

    Object convert(long id) {
        return format.convert(id);
    }

    /** As Spring Data decides whether there is an id: null, or 0 in a primitive. */
    boolean isNone(@Nullable Object value) {
        return value == null
                || (property.getType().isPrimitive() && value instanceof Number number && number.longValue() == 0);
    }

    /** Adds the property to a message about its sequence. */
    IdConfigurationException named(IdConfigurationException e) {
        return new IdConfigurationException(this + ": " + e.getMessage(), e);
    }

    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence + ")";
    }
}
