package io.distributedid.internal.property;

import io.distributedid.DistributedId;
import io.distributedid.IdConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The property of a class with {@link DistributedId}, for mappers that know no Jakarta Persistence. The annotation
 * stands on a field or a getter of the class or of a superclass. Immutable.
 *
 * @param entity the class that was asked for
 * @param name of the property
 * @param assigned whether it may have an id already
 * @param isFinal whether the property can't be set, as in a record
 */
public record IdProperty(
        Class<?> entity, String name, String sequence, boolean assigned, IdFormat format, boolean isFinal) {

    private static final ClassValue<Optional<IdProperty>> FOUND = new ClassValue<>() {
        @Override
        protected Optional<IdProperty> computeValue(Class<?> entity) {
            return find(entity);
        }
    };

    /**
     * Empty if the class has no such property.
     *
     * @throws IdConfigurationException if it has more than one, or one that can't hold ids of a named sequence
     */
    public static Optional<IdProperty> of(Class<?> entity) {
        return FOUND.get(entity);
    }

    private static Optional<IdProperty> find(Class<?> entity) {
        Map<String, Member> found = new TreeMap<>();
        for (Member member : IdMember.in(entity)) {
            if (((AnnotatedElement) member).isAnnotationPresent(DistributedId.class)) {
                found.putIfAbsent(IdMember.property(member), member);
            }
        }
        if (found.size() > 1) {
            throw new IdConfigurationException("A class must have one @DistributedId: " + entity.getName()
                    + " has it on " + found.keySet() + ". Remove it from all but the id");
        }
        return found.entrySet().stream()
                .map(property -> of(entity, property.getKey(), property.getValue()))
                .findAny();
    }

    private static IdProperty of(Class<?> entity, String name, Member member) {
        DistributedId annotation = ((AnnotatedElement) member).getAnnotation(DistributedId.class);
        String property = entity.getName() + "." + name;
        IdFormat format = IdFormat.of(IdMember.type(member), annotation.padded(), "@DistributedId", property);
        String sequence = IdMember.sequence(annotation);
        if (sequence.isEmpty()) {
            throw new IdConfigurationException("A sequence must be named: " + property
                    + ". Write @DistributedId(seq = \"photos\"). The default, the name of the table, is for Hibernate"
                    + " only");
        }
        return new IdProperty(entity, name, sequence, annotation.assigned(), format, isFinal(member, name));
    }

    private static boolean isFinal(Member member, String name) {
        try {
            Field field = member instanceof Field annotated
                    ? annotated
                    : member.getDeclaringClass().getDeclaredField(name);
            return Modifier.isFinal(field.getModifiers());
        } catch (NoSuchFieldException e) {
            return false;
        }
    }

    /** The largest id that the property can hold. */
    public long maxValue() {
        return format.width().maxValue();
    }

    /** The id in the type of the property. */
    public Object convert(long id) {
        return format.convert(id);
    }

    /**
     * Whether the property needs an id.
     *
     * @param current its value
     * @throws IdConfigurationException if it has an id, and ids may not be assigned
     */
    public boolean needsId(@Nullable Object current) {
        if (IdType.isNone(current)) {
            return true;
        }
        if (!assigned) {
            throw new IdConfigurationException("An object must not have an id before it is given one: " + this + " has "
                    + current + ". Leave it null, or keep such ids with @DistributedId(assigned = true). If another"
                    + " object is inserted, pass the id of this one instead of the object");
        }
        return false;
    }

    /** Fails if the property is final: records and the like get their ids from the application. */
    public void requireSettable() {
        if (isFinal) {
            throw new IdConfigurationException("A final property can't be given an id: " + this
                    + ". Take the id before the object is made, with DistributedIds.next(\"" + sequence()
                    + "\"), and allow it with @DistributedId(assigned = true)");
        }
    }

    /** There is one for each class, and an annotation's own hash code is slow. */
    @Override
    public int hashCode() {
        return entity.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof IdProperty property && property.entity == entity;
    }

    /** For messages. */
    @Override
    public String toString() {
        return entity.getName() + "." + name + " (seq=" + sequence() + ")";
    }
}
