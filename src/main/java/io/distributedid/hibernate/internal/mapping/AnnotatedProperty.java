package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.property.Width;
import org.hibernate.mapping.Value;

/**
 * An annotated property.
 *
 * @param path from the entity to the property: {@code id}, {@code key.id}
 */
public record AnnotatedProperty(String entity, String path, String sequence, IdConversion conversion) {

    /** Fails if the property can't hold an id. Its column does not limit the ids yet. */
    public static IdConversion conversion(
            String annotation, boolean padded, String property, Class<?> declared, Value value) {
        return IdConversion.of(declared, value)
                .map(conversion -> conversion.in(Width.UNLIMITED, padded, property))
                .orElseThrow(() -> IdType.refused(
                        annotation,
                        property,
                        value.getType().getReturnedClass(),
                        ", or a type of your own with a JavaType, or an AttributeConverter (not for ids), to one of"
                                + " them"));
    }

    /** The last step of the path. */
    public String name() {
        return path.substring(path.lastIndexOf('.') + 1);
    }

    SequenceUse use() {
        return new SequenceUse(sequence, usedBy(), conversion.format().width());
    }

    public String usedBy() {
        return entity + "." + path;
    }

    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence + ")";
    }
}
