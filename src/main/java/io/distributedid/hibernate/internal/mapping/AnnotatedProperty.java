package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
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
 * @param entity the name of its entity
 * @param path from the entity to the property: {@code id}, {@code key.id}
 * @param sequence from which it has its ids
 * @param conversion how it holds them
 */
public record AnnotatedProperty(String entity, String path, String sequence, IdConversion conversion) {

    /**
     * As the annotation and the mapping say.
     *
     * @param annotation its name
     * @param seq empty for the name of the table
     * @param padded whether a text has all digits
     * @param declared the type of the field or getter
     * @param mapped null if Hibernate does not know the property yet
     * @throws IdConfigurationException if the property's type or its column can't hold an id
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

    /**
     * How a property holds an id.
     *
     * @throws IdConfigurationException if it can't
     */
    public static IdConversion conversion(
            String annotation, boolean padded, String property, Class<?> declared, @Nullable Value value) {
        Type mapped = value == null ? null : value.getType();
        return IdConversion.of(declared, mapped)
                .map(conversion -> conversion.in(TextColumn.length(value), padded, property))
                .orElseThrow(() -> new IdConfigurationException("A property of this type can't be a " + annotation
                        + ": " + property + " type=" + (mapped == null ? declared : mapped.getReturnedClass()).getName()
                        + ", allowed: " + IdType.ALLOWED + ", or a type of your own with a JavaType, or an"
                        + " AttributeConverter (not for ids), to one of them"));
    }

    /**
     * As Hibernate shows the property to its generator. For a part of a composite id, 6.6 shows the whole id, or
     * nothing in the case of an {@code @IdClass}.
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
        Class<?> declared = declaredType(member);
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

    public static Class<?> declaredType(Member member) {
        if (member instanceof Field field) {
            return field.getType();
        }
        return member instanceof Method getter ? getter.getReturnType() : Object.class;
    }

    /** With ids that also fit another place. */
    AnnotatedProperty within(Width width) {
        return new AnnotatedProperty(entity, path, sequence, conversion.within(width));
    }

    /** Entity and property. */
    public String usedBy() {
        return entity + "." + path;
    }

    /** For messages. */
    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence + ")";
    }
}
