package io.distributedid.internal.property;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A field or a getter with one of our annotations.
 *
 * @param name of the annotation
 * @param seq empty for the table's name
 * @param isValue whether it is a {@link DistributedValue}
 * @param perKey empty unless each key has numbers of its own
 */
public record IdMember(
        Member member,
        String name,
        String seq,
        boolean assigned,
        boolean padded,
        boolean isValue,
        Optional<PerKey> perKey) {

    public static IdMember of(Member member) {
        AnnotatedElement element = (AnnotatedElement) member;
        DistributedId id = element.getAnnotation(DistributedId.class);
        if (id != null) {
            return new IdMember(
                    member, "@DistributedId", sequence(id), id.assigned(), id.padded(), false, Optional.empty());
        }
        DistributedValue value = element.getAnnotation(DistributedValue.class);
        return new IdMember(member, "@DistributedValue", value.seq(), false, value.padded(), true, PerKey.of(value));
    }

    /** The annotated members of a class and its superclasses. */
    public static List<Member> in(Class<?> type) {
        List<Member> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (isAnnotated(field)) {
                    found.add(field);
                }
            }
            // A record component has its annotations on both field and accessor, and counts once.
            for (Method method : each.isRecord() ? new Method[0] : each.getDeclaredMethods()) {
                if (!method.isSynthetic() && isAnnotated(method)) {
                    found.add(method);
                }
            }
        }
        return found;
    }

    private static boolean isAnnotated(AnnotatedElement member) {
        return member.isAnnotationPresent(DistributedId.class) || member.isAnnotationPresent(DistributedValue.class);
    }

    /** The sequence that an annotation names; empty if it names none. */
    public static String sequence(DistributedId id) {
        if (!id.value().isEmpty() && !id.seq().isEmpty()) {
            throw new IdConfigurationException("An id has one sequence: @DistributedId(value = \"" + id.value()
                    + "\", seq = \"" + id.seq() + "\"), allowed: one of the two");
        }
        return id.seq().isEmpty() ? id.value() : id.seq();
    }

    /** The name of the property that a member makes. */
    public static String property(Member member) {
        String name = member.getName();
        if (member instanceof Method) {
            int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
            return decapitalized(name.substring(prefix));
        }
        return name;
    }

    /** By the rule of JavaBeans: {@code getURL} reads {@code URL}. */
    private static String decapitalized(String name) {
        boolean kept =
                name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return kept || name.isEmpty() ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }

    /** The type of a field or getter; {@code Object} for other members. */
    public static Class<?> type(Member member) {
        if (member instanceof Field field) {
            return field.getType();
        }
        return member instanceof Method getter ? getter.getReturnType() : Object.class;
    }

    /** Fails if an id that may be assigned has no value that means "none". {@code place} is for messages. */
    public void requireNullable(Object place) {
        Class<?> type = type(member);
        if (assigned && type.isPrimitive()) {
            throw new IdConfigurationException("An id that may be assigned must be of a type that can be null: " + place
                    + " type=" + type.getName() + ", allowed: Long, Integer, BigInteger, BigDecimal, String");
        }
    }

    /** Why a mapper by fields or getters does not map a member. */
    public static String unmapped(Member member, String mapper) {
        if (Modifier.isStatic(member.getModifiers())) {
            return "it is static";
        }
        return member instanceof Field
                ? mapper + " does not map the field: it is transient, or its getter is read (access type PROPERTY)"
                : mapper + " does not map the getter: it is transient, or the field is read (access type FIELD)";
    }

    public IdConfigurationException withoutEffect(String place, String why) {
        return withoutEffect(name, place, why);
    }

    /**
     * An annotation where nothing reads it.
     *
     * @param name of the annotation
     * @param place in messages
     */
    public static IdConfigurationException withoutEffect(String name, String place, String why) {
        return new IdConfigurationException("A " + name + " has no effect here: " + place + ", because " + why);
    }
}
