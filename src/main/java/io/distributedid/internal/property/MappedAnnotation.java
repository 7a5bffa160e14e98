package io.distributedid.internal.property;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.Optional;

/**
 * One of our annotations on a field or a getter.
 *
 * @param seq empty for the table's name
 * @param isValue whether it is a {@link DistributedValue}
 * @param perKey empty unless each key has numbers of its own
 */
public record MappedAnnotation(
        Member member,
        String name,
        String seq,
        boolean assigned,
        boolean padded,
        boolean isValue,
        Optional<PerKey> perKey) {

    public static MappedAnnotation of(Member member) {
        AnnotatedElement element = (AnnotatedElement) member;
        DistributedId id = element.getAnnotation(DistributedId.class);
        if (id != null) {
            return new MappedAnnotation(
                    member, "@DistributedId", sequence(id), id.assigned(), id.padded(), false, Optional.empty());
        }
        DistributedValue value = element.getAnnotation(DistributedValue.class);
        return new MappedAnnotation(
                member, "@DistributedValue", value.seq(), false, value.padded(), true, PerKey.of(value));
    }

    /** The sequence that an annotation names; empty if it names none. */
    public static String sequence(DistributedId id) {
        if (!id.value().isEmpty() && !id.seq().isEmpty()) {
            throw new IdConfigurationException("An id has one sequence: @DistributedId(value = \"" + id.value()
                    + "\", seq = \"" + id.seq() + "\"), allowed: one of the two");
        }
        return id.seq().isEmpty() ? id.value() : id.seq();
    }

    /**
     * An annotation where nothing reads it.
     *
     * @param name of the annotation
     * @param property in messages
     */
    public static IdConfigurationException withoutEffect(String name, String property, String why) {
        return new IdConfigurationException("A " + name + " has no effect here: " + property + ", because " + why);
    }

    /** Why an object-relational mapper reads no property from an annotated member. */
    public static String unmapped(Member member, String mapper) {
        if (Modifier.isStatic(member.getModifiers())) {
            return "it is static";
        }
        return mapper
                + (member instanceof Field
                        ? " does not map the field: it is transient, or its getter is read (access type PROPERTY)"
                        : " does not map the getter: it is transient, or the field is read (access type FIELD)");
    }

    /** Fails if the id may be assigned, and every object has one. */
    public void requireNullable(String property) {
        if (assigned && type().isPrimitive()) {
            throw new IdConfigurationException(
                    "An id that may be assigned must be of a type that has null, so that 0 is none: " + property
                            + " type=" + type().getName()
                            + ", allowed: Long, Integer, BigInteger, BigDecimal, String");
        }
    }

    /** The type of the field or getter. */
    public Class<?> type() {
        return AnnotatedMembers.type(member);
    }
}
