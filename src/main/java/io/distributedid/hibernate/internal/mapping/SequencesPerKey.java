package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.AnnotatedMembers;
import io.distributedid.internal.property.MappedAnnotation;
import java.lang.reflect.Member;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;

/** Which sequences have numbers per key, before {@link MappingScan} checks their annotations. */
public final class SequencesPerKey {

    private SequencesPerKey() {}

    /** The sequences that these entities name. */
    public static Set<String> of(Collection<PersistentClass> entities) {
        Set<String> found = new TreeSet<>();
        for (PersistentClass entity : entities) {
            if (entity.getClassName() != null) {
                add(found, entity.getMappedClass());
                add(found, entity.getProperties());
            }
        }
        return found;
    }

    private static void add(Set<String> found, List<Property> properties) {
        for (Property property : properties) {
            if (property.getValue() instanceof Component component && component.getComponentClassName() != null) {
                add(found, component.getComponentClass());
                add(found, component.getProperties());
            }
        }
    }

    private static void add(Set<String> found, Class<?> type) {
        for (Member member : AnnotatedMembers.of(type)) {
            MappedAnnotation annotation = MappedAnnotation.of(member);
            annotation.perKey().ifPresent(key -> found.add(annotation.seq()));
        }
    }
}
