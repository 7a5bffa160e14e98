package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdMember;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.Width;
import java.util.List;
import java.util.Optional;
import org.hibernate.boot.Metadata;
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

    /** Fails if the property or its column can't hold an id. */
    static MappedProperty of(
            IdMember annotation, PersistentClass owner, Property property, String path, Metadata metadata) {
        String place = owner.getEntityName() + "." + path;
        IdConversion conversion = AnnotatedProperty.conversion(
                annotation.name(), annotation.padded(), place, IdMember.type(annotation.member()), property.getValue());
        AnnotatedProperty declared = new AnnotatedProperty(
                owner.getEntityName(),
                path,
                annotation.seq().isEmpty() ? owner.getRootTable().getName() : annotation.seq(),
                conversion);
        annotation.requireNullable(declared.toString());
        annotation.perKey().ifPresent(key -> requirePlain(key, declared));
        Width column = width(property.getValue().getColumns(), declared, metadata);
        AnnotatedProperty ids = new AnnotatedProperty(
                declared.entity(), path, declared.sequence(), conversion.in(column, annotation.padded(), place));
        return new MappedProperty(
                ids, owner, property, annotation.isValue(), annotation.assigned(), annotation.perKey());
    }

    private static Width width(List<Column> columns, AnnotatedProperty ids, Metadata metadata) {
        if (columns.size() != 1) {
            return Width.UNLIMITED;
        }
        Width width = ColumnWidths.of(columns.get(0), metadata, ids.toString()).orElse(Width.UNLIMITED);
        if (width.maxValue() < 1) {
            throw new IdConfigurationException("A column must hold whole numbers: " + ids + " " + width.limit()
                    + ", allowed: bigint, numeric(19), varchar(19) or wider");
        }
        return width;
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
                    + ". Remove it, and use a long, Long, int, Integer, BigInteger, BigDecimal or String; format the"
                    + " number where it is shown");
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
}
