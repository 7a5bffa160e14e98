package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdMember;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.SequenceUse;
import jakarta.persistence.GeneratedValue;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.RootClass;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.jspecify.annotations.Nullable;

/**
 * Finds every annotated property of a persistence unit, in Hibernate's boot model and in the mapped classes.
 *
 * <p>Hibernate silently ignores an annotation in a place that it does not read: on a field whose getter it reads, on an
 * unmapped member, in the elements of a collection. The column then stays empty, or gets ids from elsewhere. So every
 * annotation in a mapped class must be used by a property. Values are generated only in an object that the entity
 * itself embeds, and that has columns.
 */
public final class MappingScan {

    /** The name of access by the getter. All other access is by the field. */
    private static final String GETTER = "property";

    private static final Logger LOG = System.getLogger(MappingScan.class.getName());

    private static final String ID_CLASS = "_identifierMapper";

    private static final String ELEMENT = "Hibernate generates nothing in the elements of a collection";

    private static final String KEY = "Hibernate generates nothing in the keys of a map";

    private static final String ONE_VALUE = "Hibernate stores the object, or the list or array of them, as one value";

    private static final String WITHIN =
            "its object is within another object. Put it into the entity, or into an object that the entity embeds"
                    + " directly";

    private static final String AGGREGATE =
            "its object is stored as JSON, XML or a STRUCT. Give it columns, or put the number into the entity";

    private static final String SUBCLASS =
            "Hibernate reads it from the objects of all classes of the hierarchy, and fails for classes without it. Put"
                    + " it into the hierarchy's root";

    /**
     * A property.
     *
     * @param isValue whether it is no id
     * @param isRead whether its annotation is read
     * @param ungenerated why no values are generated in its object; null if they are
     */
    private record Place(
            PersistentClass entity,
            String path,
            boolean isValue,
            boolean isRead,
            @Nullable String ungenerated) {

        /** A property of the object. Parts of an id are read if they are columns. */
        Place below(Property property) {
            return new Place(
                    entity,
                    path + "." + property.getName(),
                    isValue,
                    isRead && (isValue || ungenerated == null),
                    ungenerated == null ? WITHIN : ungenerated);
        }

        Place ungenerated(String why) {
            return new Place(entity, path, isValue, isRead, why);
        }

        Place unread(String why) {
            return new Place(entity, path, isValue, false, why);
        }

        String name() {
            return entity.getEntityName() + "." + path;
        }
    }

    private final Metadata metadata;

    private final Set<Class<?>> entities = new HashSet<>();

    private final List<MappedProperty> columns = new ArrayList<>();

    private final Map<Class<?>, List<Member>> members = new HashMap<>();

    private final Set<Member> used = new HashSet<>();

    /** The annotated members of mapped classes, with an entity or property that maps the class. */
    private final Map<Member, String> seen = new LinkedHashMap<>();

    /** Why an annotation has no effect, where a special reason is known. */
    private final Map<Member, String> reasons = new HashMap<>();

    /** Values that stay empty in one place, even if another place of the same class is allowed. */
    private final List<IdConfigurationException> ungenerated = new ArrayList<>();

    /** The ids that have an annotation of the standard, too. */
    private final Set<String> alsoGenerated = new TreeSet<>();

    private MappingScan(Metadata metadata) {
        this.metadata = metadata;
    }

    /** Fails if an annotation has no effect in its place, or one sequence is used with two widths. */
    public static List<MappedProperty> of(Metadata metadata) {
        MappingScan found = new MappingScan(metadata);
        // A dynamic entity is a map and has no class.
        List<PersistentClass> mapped = metadata.getEntityBindings().stream()
                .filter(entity -> entity.getClassName() != null)
                .toList();
        mapped.forEach(entity -> found.entities.add(entity.getMappedClass()));
        mapped.forEach(found::addEntity);
        for (IdConfigurationException each : found.ungenerated) {
            throw each;
        }
        found.requireUse();
        found.requireOneUse();
        SequenceUse.requireOneWidth(
                found.columns.stream().map(each -> each.ids().use()).toList());
        if (!found.alsoGenerated.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "@GeneratedValue has no effect next to @DistributedId, which generates the id. Remove"
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
        for (Property property : entity.getProperties()) {
            if (!property.getName().equals(ID_CLASS)) {
                add(new Place(entity, property.getName(), true, true, null), property, type);
            }
        }
    }

    private void addId(PersistentClass entity, Class<?> type) {
        Property id = entity.getIdentifierProperty();
        if (id != null) {
            Place place = new Place(entity, id.getName(), false, true, null);
            if (id.getValue() instanceof Component key) {
                addObject(place, key);
            } else {
                add(place, id, type);
            }
        } else if (entity.getIdentifier() instanceof Component key) {
            Class<?> idClass = entity.getIdentifierMapper() == null ? type : key.getComponentClass();
            for (Property part : key.getProperties()) {
                read(new Place(entity, part.getName(), false, true, null), part, type);
                requireOnEntity(entity, part, type, idClass);
            }
        }
    }

    /** Hibernate reads the entity's property, and not that of the id class. */
    private void requireOnEntity(PersistentClass entity, Property part, Class<?> type, Class<?> idClass) {
        if (hasAnnotated(idClass, part) && !hasAnnotated(type, part)) {
            throw new IdConfigurationException(
                    "An annotation must be on the entity's property, and not only on its @IdClass: "
                            + entity.getEntityName() + "." + part.getName() + ", @IdClass " + idClass.getName());
        }
    }

    private boolean hasAnnotated(Class<?> type, Property property) {
        return members(type).stream()
                .anyMatch(member -> IdMember.property(member).equals(property.getName()));
    }

    private List<Member> members(Class<?> type) {
        return members.computeIfAbsent(type, IdMember::in);
    }

    private void see(Class<?> type, String mappedBy) {
        members(type).forEach(member -> seen.putIfAbsent(member, mappedBy));
    }

    /** Adds a property of a class, and the objects in it. */
    private void add(Place place, Property property, Class<?> type) {
        if (place.isRead) {
            read(place, property, type);
        }
        Value value = property.getValue();
        if (value instanceof Component component) {
            addObject(place, component);
        } else if (value instanceof Collection collection) {
            if (collection.getElement() instanceof Component element) {
                addObject(place.unread(ELEMENT), element);
            }
            if (collection instanceof IndexedCollection indexed && indexed.getIndex() instanceof Component key) {
                addObject(place.unread(KEY), key);
            }
        } else if (value instanceof BasicValue && value.getType() instanceof BasicType<?> basic) {
            addNamed(place.ungenerated(ONE_VALUE), basic.getJavaTypeDescriptor().getJavaType());
        }
    }

    private void addObject(Place place, Component component) {
        if (component.getComponentClassName() == null) {
            return;
        }
        boolean isAggregate = place.ungenerated == null && component.getAggregateColumn() != null;
        Place object = isAggregate ? place.ungenerated(AGGREGATE) : place;
        Class<?> type = component.getComponentClass();
        addClass(object, type, members(type));
        if (component.isPolymorphic()) {
            ClassLoaderService classes = component.getServiceRegistry().requireService(ClassLoaderService.class);
            Place other = object.ungenerated == null ? object.ungenerated(SUBCLASS) : object;
            component.getDiscriminatorValues().values().forEach(name -> {
                Class<?> subclass = classes.classForName(name);
                addClass(
                        other,
                        subclass,
                        members(subclass).stream()
                                .filter(member -> !member.getDeclaringClass().isAssignableFrom(type))
                                .toList());
            });
        }
        for (Property property : component.getProperties()) {
            add(object.below(property), property, type);
        }
    }

    /** Adds the classes in a type: itself, its elements, its arguments. Skips entities, which are copies of a row. */
    private void addNamed(Place place, @Nullable Type type) {
        if (type instanceof Class<?> named) {
            if (named.isArray()) {
                addNamed(place, named.getComponentType());
            } else if (!entities.contains(named)) {
                addClass(place, named, members(named));
            }
        } else if (type instanceof ParameterizedType generic) {
            addNamed(place, generic.getRawType());
            Stream.of(generic.getActualTypeArguments()).forEach(argument -> addNamed(place, argument));
        } else if (type instanceof GenericArrayType array) {
            addNamed(place, array.getGenericComponentType());
        } else if (type instanceof WildcardType wildcard) {
            Stream.of(wildcard.getUpperBounds()).forEach(bound -> addNamed(place, bound));
        }
    }

    /** The class of an object. Its values may be generated in other places. */
    private void addClass(Place place, Class<?> type, List<Member> own) {
        see(type, place.name());
        if (place.ungenerated != null) {
            for (Member member : own) {
                IdMember annotation = IdMember.of(member);
                if (annotation.isValue()) {
                    String property = place.name() + "." + IdMember.property(member);
                    ungenerated.add(annotation.withoutEffect(property, place.ungenerated));
                }
            }
        }
    }

    private void read(Place place, Property property, Class<?> type) {
        boolean isGetter = property.getPropertyAccessorName().equals(GETTER);
        members(type).stream()
                .filter(member -> IdMember.property(member).equals(property.getName()))
                .filter(member -> member instanceof Method == isGetter)
                .findFirst()
                .ifPresent(member -> read(place, property, member, IdMember.of(member)));
    }

    private void read(Place place, Property property, Member member, IdMember annotation) {
        boolean isRightKind = annotation.isValue() == place.isValue;
        if (!(property.getValue() instanceof BasicValue)) {
            reasons.put(member, "it is not a column, but a collection, an association or an embedded object");
        } else if (!isRightKind && place.isValue) {
            reasons.put(member, "it is not an id. For other columns there is @DistributedValue");
        } else if (!isRightKind) {
            throw annotation.withoutEffect(place.name(), "it belongs to the id. For ids there is @DistributedId");
        } else if (place.isValue && member.getDeclaringClass().isRecord()) {
            throw annotation.withoutEffect(
                    place.name(), "Hibernate can't set a component of a record that the entity holds already");
        } else if (place.isValue && !property.isInsertable()) {
            throw annotation.withoutEffect(
                    place.name(),
                    "its column is not inserted (insertable = false). Make it insertable, or remove the annotation");
        } else {
            used.add(member);
            if (!place.isValue && ((AnnotatedElement) member).isAnnotationPresent(GeneratedValue.class)) {
                alsoGenerated.add(place.name());
            }
            columns.add(MappedProperty.of(annotation, place.entity, property, place.path, metadata));
        }
    }

    private void requireUse() {
        seen.forEach((member, mappedBy) -> {
            if (!used.contains(member)) {
                throw IdMember.of(member)
                        .withoutEffect(
                                mappedBy + "." + IdMember.property(member),
                                reasons.getOrDefault(member, IdMember.unmapped(member, "Hibernate")));
            }
        });
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
