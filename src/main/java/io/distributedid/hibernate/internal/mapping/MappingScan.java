package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.AnnotatedMembers;
import io.distributedid.internal.property.MappedAnnotation;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.SequenceUse;
import jakarta.persistence.GeneratedValue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;

/**
 * Finds every annotated property of a persistence unit, in Hibernate's boot model and in the mapped classes.
 *
 * <p>Hibernate silently ignores an annotation in a place that it does not read: on a field whose getter it reads, on an
 * unmapped member, in the elements of a collection. The column then stays empty, or gets ids from elsewhere. So every
 * annotation in a mapped class must be used by a property.
 */
public final class MappingScan {

    private static final Logger LOG = System.getLogger(MappingScan.class.getName());

    static final String ID_CLASS = "_identifierMapper";

    private final List<MappedProperty> columns = new ArrayList<>();

    private final Map<Class<?>, List<Member>> members = new HashMap<>();

    private final Set<Member> used = new HashSet<>();

    /** The annotated members of mapped classes, with an entity or property that maps the class. */
    private final Map<Member, String> seen = new LinkedHashMap<>();

    /** Why an annotation has no effect, where a special reason is known. */
    private final Map<Member, String> reasons = new HashMap<>();

    /** The ids that have an annotation of the standard, too. */
    private final Set<String> alsoGenerated = new TreeSet<>();

    private MappingScan() {}

    /** Fails if an annotation has no effect in its place, or one sequence is used with two widths. */
    public static List<MappedProperty> of(Metadata metadata) {
        MappingScan found = new MappingScan();
        for (PersistentClass entity : metadata.getEntityBindings()) {
            // A dynamic entity is a map and has no class.
            if (entity.getClassName() != null) {
                found.addEntity(entity);
            }
        }
        EmbeddedClasses.of(metadata).forEach(found::refuseUngenerated);
        found.requireUse();
        found.requireOneUse();
        found.columns.replaceAll(column -> ColumnWidths.narrowed(column, metadata));
        SequenceUse.requireOneWidth(
                found.columns.stream().map(each -> each.ids().use()).toList());
        if (!found.alsoGenerated.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "@GeneratedValue has no effect beside @DistributedId, which generates the id. Remove"
                            + " @GeneratedValue from " + String.join(", ", found.alsoGenerated));
        }
        return found.columns;
    }

    private void addEntity(PersistentClass entity) {
        Class<?> type = entity.getMappedClass();
        see(type, entity.getEntityName());
        if (entity instanceof RootClass) {
            addId(entity, type);
        }
        addValues(entity, entity.getProperties(), type, "");
    }

    private List<Member> members(Class<?> type) {
        return members.computeIfAbsent(type, AnnotatedMembers::of);
    }

    private void see(Class<?> type, String mappedBy) {
        members(type).forEach(member -> seen.putIfAbsent(member, mappedBy));
    }

    private void addId(PersistentClass entity, Class<?> type) {
        Property id = entity.getIdentifierProperty();
        if (!(entity.getIdentifier() instanceof Component key)) {
            if (id != null) {
                add(entity, id, type, id.getName(), false);
            }
        } else if (id == null) {
            Class<?> idClass = entity.getIdentifierMapper() == null ? type : key.getComponentClass();
            for (Property part : key.getProperties()) {
                add(entity, part, type, part.getName(), false);
                requireOnEntity(entity, part, type, idClass);
            }
        } else {
            see(key.getComponentClass(), entity.getEntityName() + "." + id.getName());
            for (Property part : key.getProperties()) {
                add(entity, part, key.getComponentClass(), id.getName() + "." + part.getName(), false);
                seeWithin(part.getValue(), entity.getEntityName() + "." + id.getName() + "." + part.getName());
            }
        }
    }

    /** Hibernate reads the entity's property, and not that of the id class. */
    private void requireOnEntity(PersistentClass entity, Property part, Class<?> type, Class<?> idClass) {
        boolean onEntity = members(type).stream()
                .anyMatch(member -> AnnotatedMembers.propertyName(member).equals(part.getName()));
        boolean onIdClass = members(idClass).stream()
                .anyMatch(member -> AnnotatedMembers.propertyName(member).equals(part.getName()));
        if (onIdClass && !onEntity) {
            throw new IdConfigurationException(
                    "An annotation must be on the entity's property, and not only on its @IdClass: "
                            + entity.getEntityName() + "." + part.getName() + ", @IdClass " + idClass.getName());
        }
    }

    private void addValues(PersistentClass entity, List<Property> properties, Class<?> type, String prefix) {
        for (Property property : properties) {
            if (property.getName().equals(ID_CLASS)) {
                continue;
            }
            String path = prefix + property.getName();
            add(entity, property, type, path, true);
            if (property.getValue() instanceof Component component) {
                if (component.getComponentClassName() != null) {
                    see(component.getComponentClass(), entity.getEntityName() + "." + path);
                    addValues(entity, component.getProperties(), component.getComponentClass(), path + ".");
                }
            }
        }
    }

    /** An embeddable within a key, where annotations have no effect. */
    private void seeWithin(Value value, String mappedBy) {
        if (value instanceof Component component && component.getComponentClassName() != null) {
            see(component.getComponentClass(), mappedBy);
        }
    }

    /** Values stay empty in this place, even if another place of the same class is allowed. */
    private void refuseUngenerated(EmbeddedClasses.Place place) {
        see(place.type(), place.path());
        for (Member member : members(place.type())) {
            MappedAnnotation annotation = MappedAnnotation.of(member);
            if (annotation.isValue() && place.ungenerated() != null && place.includes(member)) {
                String property = place.path() + "." + AnnotatedMembers.propertyName(member);
                throw refused(annotation, property, place.ungenerated());
            }
        }
    }

    private void add(PersistentClass entity, Property property, Class<?> type, String path, boolean value) {
        AnnotatedMembers.of(members(type), property.getName(), property.getPropertyAccessorName())
                .ifPresent(member -> {
                    MappedAnnotation annotation = MappedAnnotation.of(member);
                    if (!(property.getValue() instanceof BasicValue)) {
                        reasons.put(member, "it is no column, but a collection, an association or an embedded object");
                    } else if (value && annotation.isValue() && type.isRecord()) {
                        throw refused(
                                annotation,
                                entity.getEntityName() + "." + path,
                                "Hibernate can't set a component of a record that the entity holds already");
                    } else if (value && annotation.isValue() && !property.isInsertable()) {
                        throw refused(
                                annotation,
                                entity.getEntityName() + "." + path,
                                "its column is not inserted (insertable = false). Make it insertable, or remove the"
                                        + " annotation");
                    } else if (annotation.isValue() == value) {
                        used.add(member);
                        if (!value && ((AnnotatedElement) member).isAnnotationPresent(GeneratedValue.class)) {
                            alsoGenerated.add(entity.getEntityName() + "." + path);
                        }
                        columns.add(MappedProperty.of(annotation, entity, property, path));
                    } else if (value) {
                        reasons.put(member, "it is no id. For other columns there is @DistributedValue");
                    } else {
                        throw refused(
                                annotation,
                                entity.getEntityName() + "." + path,
                                "it belongs to the id. For ids there is @DistributedId");
                    }
                });
    }

    private void requireUse() {
        seen.forEach((member, mappedBy) -> {
            if (!used.contains(member)) {
                throw refused(
                        MappedAnnotation.of(member),
                        mappedBy + "." + AnnotatedMembers.propertyName(member),
                        reasons.getOrDefault(member, reason(member)));
            }
        });
    }

    private static String reason(Member member) {
        if (Modifier.isStatic(member.getModifiers())) {
            return "it is static";
        }
        return member instanceof Field
                ? "Hibernate does not map the field: it is transient, or its getter is read (access type PROPERTY)"
                : "Hibernate does not map the getter: it is transient, or the field is read (access type FIELD)";
    }

    private static IdConfigurationException refused(MappedAnnotation annotation, String property, String why) {
        return MappedAnnotation.withoutEffect(annotation.name(), property, why);
    }

    /** A sequence has ids or numbers per key, and these in one way. */
    private void requireOneUse() {
        Map<String, MappedProperty> first = new HashMap<>();
        for (MappedProperty column : columns) {
            MappedProperty other = first.putIfAbsent(column.ids().sequence(), column);
            if (other != null
                    && !column.perKey()
                            .map(PerKey::gapless)
                            .equals(other.perKey().map(PerKey::gapless))) {
                throw new IdConfigurationException("The numbers of a sequence must all be taken in one way: seq="
                        + column.ids().sequence() + " " + other.use() + ", " + column.use()
                        + ". Use sequences of their own");
            }
        }
    }
}
