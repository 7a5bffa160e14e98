package io.distributedid.hibernate;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.IdSource;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
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
record IdColumn(String entity, String path, String sequence, IdConversion conversion) {

    /**
     * As the annotation and the mapping say.
     *
     * @param annotation its name
     * @param seq empty for the name of the table
     * @param declared the type of the field or getter
     * @param mapped null if Hibernate does not know the property yet
     * @throws IdConfigurationException if the property's type can't hold an id
     */
    static IdColumn of(
            String annotation,
            String seq,
            PersistentClass owner,
            String path,
            Class<?> declared,
            @Nullable Type mapped) {
        String entity = owner.getEntityName();
        return new IdColumn(
                entity,
                path,
                seq.isEmpty() ? owner.getRootTable().getName() : seq,
                conversion(annotation, entity + "." + path, declared, mapped));
    }

    /**
     * How a property holds an id.
     *
     * @throws IdConfigurationException if it can't
     */
    static IdConversion conversion(String annotation, String property, Class<?> declared, @Nullable Type mapped) {
        return IdConversion.of(declared, mapped)
                .orElseThrow(() -> new IdConfigurationException("A property of this type can't be a " + annotation
                        + ": " + property + " type=" + (mapped == null ? declared : mapped.getReturnedClass()).getName()
                        + ", allowed: " + IdType.ALLOWED + ", or a type of your own with a JavaType, or an"
                        + " AttributeConverter (not for ids), to one of them"));
    }

    /**
     * As Hibernate shows the property to its generator. For a part of a composite id, 6.6 shows the whole id, or nothing in the case of
     * an {@code @IdClass}.
     *
     * @param member null from Hibernate 7.3 on
     */
    static IdColumn of(String annotation, String seq, @Nullable Member member, GeneratorCreationContext context) {
        PersistentClass owner = context.getPersistentClass();
        Property shown = context.getProperty();
        if (member == null) {
            return of(annotation, seq, owner, shown.getName(), Object.class, shown.getType());
        }
        String name = AnnotatedMembers.propertyName(member);
        Class<?> declared = declaredType(member);
        if (shown != null && shown.getValue() instanceof Component key) {
            return of(annotation, seq, owner, shown.getName() + "." + name, declared, type(key, name));
        }
        if (shown == null) {
            Type type = owner.getIdentifier() instanceof Component key ? type(key, name) : null;
            return of(annotation, seq, owner, name, declared, type);
        }
        return of(annotation, seq, owner, name, declared, shown.getType());
    }

    private static @Nullable Type type(Component component, String property) {
        return component.hasProperty(property) ? component.getProperty(property).getType() : null;
    }

    static Class<?> declaredType(Member member) {
        if (member instanceof Field field) {
            return field.getType();
        }
        return member instanceof Method getter ? getter.getReturnType() : Object.class;
    }

    /**
     * Opens the sequence.
     *
     * @throws IdConfigurationException as opening does, naming entity and property
     */
    RowIds open(SessionFactoryImplementor factory, DistributedIdService service) {
        try {
            IdSource source = service.ids().sequence(sequence, conversion.maxValue(), usedBy());
            return RowIds.of(source, factory, service, sequence, entity);
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(this + ": " + e.getMessage(), e);
        }
    }

    /** Entity and property. */
    String usedBy() {
        return entity + "." + path;
    }

    /** For messages. */
    @Override
    public String toString() {
        return usedBy() + " (seq=" + sequence + ")";
    }
}
