package io.distributedid.spring.data;

import io.distributedid.DistributedId;
import io.distributedid.DistributedValue;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.AnnotatedMembers;
import io.distributedid.internal.property.IdFormat;
import io.distributedid.internal.property.MappedAnnotation;
import java.lang.reflect.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * Finds the annotated properties of one class. Spring Data knows nothing of our annotations, so each one must be in a
 * place where the callbacks set the property.
 */
final class PropertyScan {

    private static final String ID = "@DistributedId";

    private static final String VALUE = "@DistributedValue";

    private final RelationalPersistentEntity<?> entity;

    private PropertyScan(RelationalPersistentEntity<?> entity) {
        this.entity = entity;
    }

    /** The id comes first. Fails if an annotation has no effect in its place. */
    static List<GeneratedProperty> of(RelationalPersistentEntity<?> entity) {
        requireNoneEmbedded(entity);
        PropertyScan scan = new PropertyScan(entity);
        AnnotatedMembers.of(entity.getType()).forEach(scan::requireMapped);
        List<GeneratedProperty> found = new ArrayList<>();
        for (RelationalPersistentProperty property : entity) {
            scan.generated(property).ifPresent(each -> found.add(each.isId() ? 0 : found.size(), each));
        }
        return List.copyOf(found);
    }

    /** Fails if an embedded object has an annotation. Spring Data lists the classes of such objects as entities too. */
    static void requireNoneEmbedded(RelationalPersistentEntity<?> entity) {
        for (RelationalPersistentProperty property : entity) {
            if (property.isEmbedded()) {
                AnnotatedMembers.of(property.getType()).stream().findFirst().ifPresent(member -> {
                    throw new PropertyScan(entity)
                            .refused(
                                    annotation(member),
                                    property.getName() + "." + AnnotatedMembers.propertyName(member),
                                    "it is in an embedded object. Move it to the aggregate");
                });
            }
        }
    }

    private static String annotation(Member member) {
        return MappedAnnotation.of(member).name();
    }

    private Optional<GeneratedProperty> generated(RelationalPersistentProperty property) {
        DistributedId id = property.findAnnotation(DistributedId.class);
        DistributedValue value = property.findAnnotation(DistributedValue.class);

        if (id != null) {
            return Optional.of(id(property, id));
        }
        return value == null ? Optional.empty() : Optional.of(value(property, value));
    }

    private GeneratedProperty id(RelationalPersistentProperty property, DistributedId id) {
        if (!property.isIdProperty()) {
            throw refused(
                    ID,
                    property.getName(),
                    "it is no id: Spring Data's @Id is missing. For other columns there is @DistributedValue");
        }
        if (property.hasSequence()) {
            throw refused(ID, property.getName(), "the id has a @Sequence too. Remove one of them");
        }
        String named = MappedAnnotation.sequence(id);
        String seq = named.isEmpty() ? entity.getTableName().getReference() : named;
        return new GeneratedProperty(property, seq, format(ID, property, id.padded()), true, id.assigned());
    }

    private GeneratedProperty value(RelationalPersistentProperty property, DistributedValue value) {
        if (property.isIdProperty()) {
            throw refused(VALUE, property.getName(), "it is the id. For ids there is @DistributedId");
        }
        if (!value.per().isEmpty()) {
            throw refused(
                    VALUE,
                    property.getName(),
                    "Spring Data takes no numbers per key: seq=" + value.seq() + " per=" + value.per()
                            + ". Take them with DistributedIds.keyed(\"" + value.seq() + "\") before the save");
        }
        if (!property.isWritable()) {
            throw refused(VALUE, property.getName(), "Spring Data does not write it (@ReadOnlyProperty)");
        }
        return new GeneratedProperty(property, value.seq(), format(VALUE, property, value.padded()), false, true);
    }

    private IdFormat format(String annotation, RelationalPersistentProperty property, boolean padded) {
        return IdFormat.of(property.getType(), padded, annotation, name(property.getName()));
    }

    private void requireMapped(Member member) {
        RelationalPersistentProperty property = property(AnnotatedMembers.propertyName(member));
        boolean isMapped = property != null
                && !property.isTransient()
                && (member.equals(property.getField()) || member.equals(property.getGetter()));
        if (!isMapped) {
            throw refused(
                    annotation(member),
                    AnnotatedMembers.propertyName(member),
                    "Spring Data does not map it: it is static, transient or no getter");
        }
    }

    private @Nullable RelationalPersistentProperty property(String name) {
        return entity.getPersistentProperty(name);
    }

    private IdConfigurationException refused(String annotation, String property, String why) {
        return MappedAnnotation.withoutEffect(annotation, name(property), why);
    }

    private String name(String property) {
        return entity.getType().getName() + "." + property;
    }
}
