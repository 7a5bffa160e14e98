package io.distributedid.internal.property;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Member;
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

    /** The type of the field or getter. */
    public Class<?> type() {
        return AnnotatedMembers.type(member);
    }
}
