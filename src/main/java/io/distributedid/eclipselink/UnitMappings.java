package io.distributedid.eclipselink;

import io.distributedid.IdConfigurationException;
import io.distributedid.eclipselink.GeneratedProperty.Declaration;
import io.distributedid.internal.property.IdMember;
import java.lang.reflect.Field;
import java.lang.reflect.Member;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.eclipse.persistence.descriptors.ClassDescriptor;
import org.eclipse.persistence.internal.helper.DatabaseField;
import org.eclipse.persistence.internal.sessions.DatabaseSessionImpl;
import org.eclipse.persistence.mappings.AggregateObjectMapping;
import org.eclipse.persistence.mappings.DatabaseMapping;
import org.eclipse.persistence.mappings.foundation.AbstractDirectMapping;
import org.jspecify.annotations.Nullable;

/**
 * Finds the properties of a unit that get our ids or numbers, in EclipseLink's descriptors before they are initialized.
 * EclipseLink itself ignores our annotations, so each must be in a place where this class reads it.
 */
final class UnitMappings {

    /** EclipseLink's name of a {@code @GeneratedValue} without a generator. */
    private static final String AUTO = "SEQ_GEN";

    private final DatabaseSessionImpl session;

    private final List<GeneratedProperty> found = new ArrayList<>();

    private final Set<Member> used = new HashSet<>();

    /** Annotated members of embeddables that some entity does not use as its id, with the place. */
    private final Map<Member, String> embedded = new LinkedHashMap<>();

    private UnitMappings(DatabaseSessionImpl session) {
        this.session = session;
    }

    /** Fails if an annotation has no effect in its place. */
    static List<GeneratedProperty> of(DatabaseSessionImpl session) {
        UnitMappings mappings = new UnitMappings(session);
        // EclipseLink's order is another one in each process, and messages name the first that fails.
        List<ClassDescriptor> all = session.getDescriptors().values().stream()
                .sorted(Comparator.comparing(ClassDescriptor::getJavaClassName))
                .toList();
        all.stream().filter(each -> !each.isDescriptorTypeAggregate()).forEach(mappings::addEntity);
        all.stream().filter(ClassDescriptor::isDescriptorTypeAggregate).forEach(mappings::see);
        mappings.embedded.forEach((member, place) -> mappings.requireUse(member, place, inEmbeddable(member)));
        return List.copyOf(mappings.found);
    }

    private static String inEmbeddable(Member member) {
        return IdMember.of(member).isValue()
                ? "EclipseLink has no event for an embedded object that is inserted; put it into the entity"
                : "the embeddable is the id of no entity. For other columns there is @DistributedValue";
    }

    private void see(ClassDescriptor embeddable) {
        IdMember.in(embeddable.getJavaClass())
                .forEach(member ->
                        embedded.putIfAbsent(member, embeddable.getAlias() + "." + IdMember.property(member)));
    }

    private void addEntity(ClassDescriptor entity) {
        int before = found.size();
        ClassDescriptor parent = parent(entity);
        for (Member member : IdMember.in(entity.getJavaClass())) {
            if (parent == null || !member.getDeclaringClass().isAssignableFrom(parent.getJavaClass())) {
                addMember(entity, member);
            }
        }
        for (DatabaseMapping mapping : entity.getMappings()) {
            if (mapping instanceof AggregateObjectMapping object) {
                addEmbedded(entity, object);
            }
        }
        requireOnEntity(entity);
        List<GeneratedProperty> ids = found.subList(before, found.size()).stream()
                .filter(property -> !property.isValue())
                .toList();
        if (ids.size() > 1) {
            throw new IdConfigurationException("EclipseLink can generate only one part of an id: " + ids.get(0) + ", "
                    + ids.get(1) + ". Let the application set the other part (DistributedIdCustomizer.ids)");
        }
        if (ids.isEmpty()) {
            addGenerated(entity);
        }
    }

    private @Nullable ClassDescriptor parent(ClassDescriptor entity) {
        return entity.hasInheritance() && entity.getInheritancePolicy().getParentClass() != null
                ? session.getDescriptor(entity.getInheritancePolicy().getParentClass())
                : null;
    }

    /** For EclipseLink, the classes of a hierarchy with a table for each have nothing else in common. */
    private static ClassDescriptor root(ClassDescriptor entity) {
        ClassDescriptor root = entity;
        while (root.hasTablePerClassPolicy()
                && !root.getTablePerClassPolicy().getParentDescriptors().isEmpty()) {
            root = root.getTablePerClassPolicy().getParentDescriptors().get(0);
        }
        return root;
    }

    private void addMember(ClassDescriptor entity, Member member) {
        String name = IdMember.property(member);
        IdMember annotation = IdMember.of(member);
        String place = entity.getAlias() + "." + name;
        DatabaseMapping mapping = entity.getMappingForAttributeName(name);
        if (mapping == null || Modifier.isStatic(member.getModifiers()) || isOtherAccess(mapping, member)) {
            throw annotation.withoutEffect(place, IdMember.unmapped(member, "EclipseLink"));
        }
        if (!(mapping instanceof AbstractDirectMapping direct)) {
            throw annotation.withoutEffect(
                    place, "it is not a column, but a collection, an association or an embedded object");
        }
        add(entity, direct, direct.getField(), name, annotation);
    }

    private static boolean isOtherAccess(DatabaseMapping mapping, Member member) {
        return mapping.getAttributeAccessor().isMethodAttributeAccessor() == member instanceof Field;
    }

    private void addEmbedded(ClassDescriptor entity, AggregateObjectMapping object) {
        ClassDescriptor embeddable = session.getDescriptor(object.getReferenceClass());
        if (embeddable == null) {
            return;
        }
        for (Member member : IdMember.in(embeddable.getJavaClass())) {
            String name = IdMember.property(member);
            DatabaseMapping mapping = embeddable.getMappingForAttributeName(name);
            String path = object.getAttributeName() + "." + name;
            IdMember annotation = IdMember.of(member);
            if (mapping instanceof AbstractDirectMapping direct && !isOtherAccess(mapping, member)) {
                idField(entity, object, direct).ifPresent(field -> add(entity, direct, field, path, annotation));
            }
            if (annotation.isValue()) {
                embedded.put(member, entity.getAlias() + "." + path);
            }
        }
    }

    /** The column of an embeddable's property in an entity, if it belongs to the id. */
    private static Optional<DatabaseField> idField(
            ClassDescriptor entity, AggregateObjectMapping object, AbstractDirectMapping mapping) {
        String declared = mapping.getField().getName();
        DatabaseField override = object.getAggregateToSourceFields().get(declared);
        String name = override == null ? declared : override.getName();
        return entity.getPrimaryKeyFields().stream()
                .filter(field -> field.getName().equals(name))
                .findFirst();
    }

    private void add(
            ClassDescriptor entity,
            AbstractDirectMapping mapping,
            DatabaseField field,
            String path,
            IdMember annotation) {
        String place = entity.getAlias() + "." + path;
        boolean isId = entity.getPrimaryKeyFields().contains(field);
        if (isId == annotation.isValue()) {
            throw annotation.withoutEffect(
                    place,
                    isId
                            ? "it belongs to the id. For ids there is @DistributedId"
                            : "it is not an id. For other columns there is @DistributedValue");
        }
        if (annotation.perKey().isPresent()) {
            throw annotation.withoutEffect(
                    place, "numbers per key are for Hibernate. Take them from DistributedIds.keyed");
        }
        annotation.requireNullable(place);
        String sequence = annotation.seq().isEmpty() ? root(entity).getTableName() : annotation.seq();
        used.add(annotation.member());
        found.add(new GeneratedProperty(
                entity,
                mapping,
                field,
                new Declaration(
                        annotation.name(),
                        path,
                        sequence,
                        annotation.assigned(),
                        annotation.padded(),
                        annotation.isValue())));
    }

    /** EclipseLink reads the entity's property, and not that of the id class. */
    @SuppressWarnings("ReferenceEquality")
    private void requireOnEntity(ClassDescriptor entity) {
        if (entity.hasCMPPolicy() && entity.getCMPPolicy().getPKClass() != null) {
            Class<?> idClass = entity.getCMPPolicy().getPKClass();
            for (Member member : IdMember.in(idClass)) {
                String name = IdMember.property(member);
                if (found.stream()
                                .noneMatch(each ->
                                        each.entity() == entity && each.path().equals(name))
                        && session.getDescriptor(idClass) == null) {
                    throw new IdConfigurationException(
                            "An annotation must be on the entity's property, and not only on its @IdClass: "
                                    + entity.getAlias() + "." + name + ", @IdClass " + idClass.getName());
                }
            }
        }
    }

    private void requireUse(Member member, String place, String why) {
        if (!used.contains(member)) {
            throw IdMember.of(member).withoutEffect(place, why);
        }
    }

    /** A {@code @GeneratedValue} whose generator the unit does not define. */
    private void addGenerated(ClassDescriptor entity) {
        String generator = entity.getSequenceNumberName();
        DatabaseField field = entity.getSequenceNumberField();
        if (field == null
                || generator == null
                || generator.equals(AUTO)
                || session.getPlatform().getSequence(generator) != null) {
            return;
        }
        mapping(entity, field)
                .ifPresent(mapping -> found.add(new GeneratedProperty(
                        entity,
                        mapping,
                        field,
                        new Declaration(
                                "@GeneratedValue(generator)",
                                mapping.getAttributeName(),
                                generator,
                                false,
                                false,
                                false))));
    }

    private Optional<AbstractDirectMapping> mapping(ClassDescriptor entity, DatabaseField field) {
        return entity.getMappings().stream()
                .flatMap(each -> each instanceof AggregateObjectMapping object
                        ? session.getDescriptor(object.getReferenceClass()).getMappings().stream()
                        : Stream.of(each))
                .filter(AbstractDirectMapping.class::isInstance)
                .map(AbstractDirectMapping.class::cast)
                .filter(each -> each.getField().getName().equals(field.getName()))
                .findFirst();
    }
}
