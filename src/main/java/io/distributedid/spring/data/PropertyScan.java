package io.distributedid.spring.data;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.IdMember;
import java.lang.reflect.Member;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Finds the annotated properties of one class. Spring Data knows nothing of our annotations, so each one must be in a
 * place where the callbacks set the property.
 */
final class PropertyScan {

    private final RelationalPersistentEntity<?> entity;

    private PropertyScan(RelationalPersistentEntity<?> entity) {
        this.entity = entity;
    }

    /** The id comes first. Fails if an annotation has no effect in its place. */
    static List<GeneratedProperty> of(RelationalPersistentEntity<?> entity) {
        requireNoneEmbedded(entity);
        PropertyScan scan = new PropertyScan(entity);
        // A field and its getter may both be annotated.
        Map<RelationalPersistentProperty, GeneratedProperty> found = new LinkedHashMap<>();
        for (Member member : IdMember.in(entity.getType())) {
            IdMember annotation = IdMember.of(member);
            RelationalPersistentProperty property = scan.mapped(member, annotation);
            found.putIfAbsent(property, scan.generated(property, annotation));
        }
        return found.values().stream()
                .sorted(Comparator.comparing(GeneratedProperty::isId).reversed())
                .toList();
    }

    /** Fails if an embedded object has an annotation. Spring Data lists the classes of such objects as entities too. */
    static void requireNoneEmbedded(RelationalPersistentEntity<?> entity) {
        for (RelationalPersistentProperty property : entity) {
            if (property.isEmbedded()) {
                IdMember.in(property.getType()).stream().findFirst().ifPresent(member -> {
                    throw new PropertyScan(entity)
                            .refused(
                                    IdMember.of(member),
                                    property.getName() + "." + IdMember.property(member),
                                    "it is in an embedded object. Move it to the aggregate");
                });
            }
        }
    }

    private RelationalPersistentProperty mapped(Member member, IdMember annotation) {
        String name = IdMember.property(member);
        RelationalPersistentProperty property = entity.getPersistentProperty(name);
        if (property == null
                || property.isTransient()
                || (!member.equals(property.getField()) && !member.equals(property.getGetter()))) {
            throw refused(annotation, name, "Spring Data does not map it: it is static, transient or not a getter");
        }
        return property;
    }

    private GeneratedProperty generated(RelationalPersistentProperty property, IdMember annotation) {
        boolean isId = property.isIdProperty();
        if (isId == annotation.isValue()) {
            throw refused(
                    annotation,
                    property.getName(),
                    isId
                            ? "it is the id. For ids there is @DistributedId"
                            : "it is not an id: Spring Data's @Id is missing. For other columns there is"
                                    + " @DistributedValue");
        }
        if (isId && property.hasSequence()) {
            throw refused(annotation, property.getName(), "the id has a @Sequence too. Remove one of them");
        }
        annotation.perKey().ifPresent(key -> {
            throw refused(
                    annotation,
                    property.getName(),
                    "Spring Data can't take numbers per key: seq=" + annotation.seq() + " per=" + key.path()
                            + ". Take them with DistributedIds.keyed(\"" + annotation.seq() + "\") before the save");
        });
        if (!isId && !property.isWritable()) {
            throw refused(annotation, property.getName(), "Spring Data does not write it (@ReadOnlyProperty)");
        }
        return new GeneratedProperty(
                property,
                annotation.seq().isEmpty() ? entity.getTableName().getReference() : annotation.seq(),
                IdFormat.of(property.getType(), annotation.padded(), annotation.name(), name(property.getName())),
                isId,
                !isId || annotation.assigned());
    }

    private IdConfigurationException refused(IdMember annotation, String property, String why) {
        return annotation.withoutEffect(name(property), why);
    }

    private String name(String property) {
        return entity.getType().getName() + "." + property;
    }
}
