package io.distributedid.hibernate.internal.mapping;

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
final class AnnotatedMembers {

    /** How Hibernate names its way to a property that it reads from the getter; other ways are the field's. */
    static final String GETTER = "property";

    private AnnotatedMembers() {}

    static List<Member> of(Class<?> type) {
        List<Member> found = new ArrayList<>();
        for (Class<?> each = type; each != null && each != Object.class; each = each.getSuperclass()) {
            for (Field field : each.getDeclaredFields()) {
                if (isAnnotated(field)) {
                    found.add(field);
                }
            }
            // The component of a record has its annotations on its field and its accessor, and counts once.
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

    /**
     * The member by which Hibernate reads a property, if it is annotated.
     *
     * @param annotated of its class
     * @param accessor how Hibernate gets at the property
     */
    static Optional<Member> of(List<Member> annotated, String property, String accessor) {
        return annotated.stream()
                .filter(member -> propertyName(member).equals(property))
                .filter(member -> member instanceof Method == accessor.equals(GETTER))
                .findFirst();
    }

    static String propertyName(Member member) {
        String name = member.getName();
        if (member instanceof Method) {
            int prefix = name.startsWith("get") ? 3 : name.startsWith("is") ? 2 : 0;
            return decapitalized(name.substring(prefix));
        }
        return name;
    }

    /** As for beans: {@code getURL} reads {@code URL}. */
    private static String decapitalized(String name) {
        boolean kept =
                name.length() > 1 && Character.isUpperCase(name.charAt(0)) && Character.isUpperCase(name.charAt(1));
        return kept || name.isEmpty() ? name : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
