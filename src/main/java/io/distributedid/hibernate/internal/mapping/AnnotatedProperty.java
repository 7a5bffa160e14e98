package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.AnnotatedMembers;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.property.Width;
import java.lang.reflect.Member;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * An annotated property.
 *
 * @param path from the entity to the property: {@code id}, {@code key.id}
 */
public record AnnotatedProperty(String entity, String path, String sequence, IdConversion conversion) {

    /**
     * Fails if the property's type or its column can't hold an id.
     *
     * @param seq empty for the name of the table
     * @param declared the type of the field or getter
     * @param mapped null if Hibernate has not mapped the property yet
     */
    public static AnnotatedProperty of(
            String annotation,
            String seq,
            boolean padded,
            PersistentClass owner,
            String path,
            Class<?> declared,
            @Nullable Value mapped) {
        String entity = owner.getEntityName();
        return new AnnotatedProperty(
                entity,
                path,
                seq.isEmpty() ? owner.getRootTable().getName() : seq,
                conversion(annotation, padded, entity + "." + path, declared, mapped));
    }

    /** Fails if the property can't hold an id. */
    public static IdConversion conversion(
            String annotation, boolean padded, String property, Class<?> declared, @Nullable Value value) {
        Type mapped = value == null ? null : value.getType();
        return IdConversion.of(declared, mapped)
                .map(conversion -> conversion
                        .in(TextColumn.length(value), padded, property)
                        .writtenBy(ColumnWriter.expression(value)))
                .orElseThrow(() -> IdType.refused(
                        annotation,
                        property,
                        mapped == null ? declared : mapped.getReturnedClass(),
                        ", or a type of your own with a JavaType, or an AttributeConverter (not for ids), to one of"
                                + " them"));
    }

    /**
     * The property that Hibernate passes to its generator. For a part of a composite id, 6.6 passes the whole id; with
     * an {@code @IdClass} it passes null.
     *
     * @param member null from Hibernate 7.3 on
     */
    public static AnnotatedProperty of(
            String annotation, String seq, boolean padded, @Nullable Member member, GeneratorCreationContext context) {
        PersistentClass owner = context.getPersistentClass();
        Property shown = context.getProperty();
        if (member == null) {
            return of(annotation, seq, padded, owner, shown.getName(), Object.class, shown.getValue());
        }
        String name = AnnotatedMembers.propertyName(member);
        Class<?> declared = AnnotatedMembers.type(member);
        if (shown != null && shown.getValue() instanceof Component key) {
            return of(annotation, seq, padded, owner, shown.getName() + "." + name, declared, value(key, name));
        }
        if (shown == null) {
            Value value = owner.getIdentifier() instanceof Component key ? value(key, name) : null;
            return of(annotation, seq, padded, owner, name, declared, value);
        }
        return of(annotation, seq, padded, owner, name, declared, shown.getValue());
    }

    private static @Nullable Value value(Component component, String property) {
        return component.hasProperty(property) ? component.getProperty(property).getValue() : null;
    }

    /** Limited to ids that also fit another place. */
    AnnotatedProperty within(Width width) {
        return new AnnotatedProperty(entity, path, sequence, conversion.within(width));
    }

    SequenceUse use() {
        return new SequenceUse(sequence, usedBy(), conversion.width());
    }

    public String usedBy() {
        return entity + "." + path;
    }

    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence + ")";
    }
}
