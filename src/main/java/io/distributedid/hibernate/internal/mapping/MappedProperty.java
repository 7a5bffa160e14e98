package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.MappedAnnotation;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.Width;
import java.util.List;
import java.util.Optional;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/**
 * An annotated property and its mapping.
 *
 * @param owner the entity that declares it
 * @param isValue whether it is a {@link io.distributedid.DistributedValue}
 * @param assigned whether the application may set the id
 * @param perKey empty unless each key has numbers of its own
 */
public record MappedProperty(
        AnnotatedProperty ids,
        PersistentClass owner,
        Property property,
        boolean isValue,
        boolean assigned,
        Optional<PerKey> perKey) {

    static MappedProperty of(MappedAnnotation annotation, PersistentClass owner, Property property, String path) {
        Class<?> declared = annotation.type();
        AnnotatedProperty ids = AnnotatedProperty.of(
                annotation.name(), annotation.seq(), annotation.padded(), owner, path, declared, property.getValue());
        if (annotation.assigned() && declared.isPrimitive()) {
            throw new IdConfigurationException(
                    "An id that may be assigned must be of a type that has null, so that 0 is none: " + ids + " type="
                            + declared.getName() + ", allowed: Long, Integer, BigInteger, BigDecimal, String");
        }
        annotation.perKey().ifPresent(key -> requirePlain(key, ids));
        return new MappedProperty(
                ids, owner, property, annotation.isValue(), annotation.assigned(), annotation.perKey());
    }

    private static void requirePlain(PerKey key, AnnotatedProperty number) {
        if (number.path().indexOf('.') >= 0) {
            throw new IdConfigurationException("A number per key must be a property of an entity or a mapped"
                    + " superclass: " + number + " per=" + key.path()
                    + " is in an embedded object. Move it into the entity; its key may stay there");
        }
        number.conversion().applicationType().ifPresent(type -> {
            throw new IdConfigurationException("A number per key must be stored as it is: " + number + " per="
                    + key.path() + " is written by " + type
                    + ". Remove that, and use a long, Long, int, Integer, BigInteger, BigDecimal or String; make other"
                    + " texts of the number where they are shown");
        });
    }

    /** For messages. */
    String use() {
        return ids.usedBy()
                + perKey.map(key -> " per=" + key.path() + " gapless=" + key.gapless())
                        .orElse(" without per");
    }

    public List<Column> columns() {
        return property.getValue().getColumns();
    }

    /** Limited to ids that also fit another place. */
    MappedProperty within(Width width) {
        return new MappedProperty(ids.within(width), owner, property, isValue, assigned, perKey);
    }
}
