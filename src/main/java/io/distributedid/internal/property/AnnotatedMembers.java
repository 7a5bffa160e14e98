package io.distributedid.internal.property;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The fields and getters of a class and its superclasses that have one of our annotations. */
public final class AnnotatedMembers {

    /** The name of access by the getter. All other access is by the field. */
    public static final String GETTER = "property";

    private AnnotatedMembers() {}

    public static List<Member> of(Class<?> type) {
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

    /** The annotated member by which a property is accessed; empty if that member has no annotation. */
    public static Optional<Member> of(List<Member> annotated, String property, String accessor) {
        return annotated.stream()
                .filter(member -> propertyName(member).equals(property))
                .filter(member -> member instanceof Method == accessor.equals(GETTER))
                .findFirst();
    }

    public static String propertyName(Member member) {
        String name = member.getName();
        if (member instanceof Method) {
            int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
            return decapitalized(name.substring(prefix));
        }
        return name;
    }

    /** The type of the field or getter; {@code Object} for other members. */
    public static Class<?> type(Member member) {
        if (member instanceof Field field) {
            return field.getType();
        }
        return member instanceof Method getter ? getter.getReturnType() : Object.class;
    }

    /** By the rule of JavaBeans: {@code getURL} reads {@code URL}. */
    private static String decapitalized(String name) {
        boolean kept =
                name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return kept || name.isEmpty() ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
