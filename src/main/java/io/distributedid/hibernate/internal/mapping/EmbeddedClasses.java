package io.distributedid.hibernate.internal.mapping;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Member;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.registry.classloading.spi.ClassLoaderService;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.jspecify.annotations.Nullable;

/**
 * The classes whose objects are stored within an entity, and whether values are generated in them. They are only in an
 * object that the entity itself embeds, and that has columns.
 */
final class EmbeddedClasses {

    private static final String ELEMENT = "Hibernate generates nothing in the elements of a collection";

    private static final String KEY = "Hibernate generates nothing in the keys of a map";

    private static final String ONE_VALUE = "Hibernate stores the object, or the list or array of them, as one value";

    private static final String WITHIN =
            "its object is within another one. Put it into the entity, or into an object that"
                    + " the entity embeds itself";

    private static final String AGGREGATE =
            "its object is stored as JSON, XML or a STRUCT. Give it columns, or put the number into the entity";

    private static final String SUBCLASS =
            "Hibernate asks for it in the objects of all classes of the hierarchy, and fails"
                    + " for those of others. It can be in the hierarchy's root";

    /**
     * A class at a path within an entity.
     *
     * @param above the superclass whose members are excluded; null if none is
     * @param ungenerated why no values are generated here; null if they are, or if another check covers it
     */
    record Place(
            Class<?> type,
            String path,
            @Nullable Class<?> above,
            @Nullable String ungenerated) {

        boolean includes(Member member) {
            return above == null || !member.getDeclaringClass().isAssignableFrom(above);
        }
    }

    private final List<Place> places = new ArrayList<>();

    private final Set<Class<?>> entities = new HashSet<>();

    private EmbeddedClasses() {}

    static List<Place> of(Metadata metadata) {
        EmbeddedClasses found = new EmbeddedClasses();
        List<PersistentClass> mapped = metadata.getEntityBindings().stream()
                .filter(entity -> entity.getClassName() != null)
                .toList();
        mapped.forEach(entity -> found.entities.add(entity.getMappedClass()));
        for (PersistentClass entity : mapped) {
            Property id = entity.getIdentifierProperty();
            if (id != null) {
                found.add(id.getValue(), entity.getEntityName() + "." + id.getName(), null);
            }
            List<Property> properties = entity.getProperties().stream()
                    .filter(property -> !property.getName().equals(MappingScan.ID_CLASS))
                    .toList();
            found.add(properties, entity.getEntityName(), null);
        }
        return found.places;
    }

    private void add(List<Property> properties, String path, @Nullable String ungenerated) {
        properties.forEach(property -> add(property.getValue(), path + "." + property.getName(), ungenerated));
    }

    private void add(Value value, String path, @Nullable String ungenerated) {
        if (value instanceof Component component) {
            addObject(component, path, ungenerated);
        } else if (value instanceof Collection collection) {
            if (collection.getElement() instanceof Component element) {
                addObject(element, path, ELEMENT);
            }
            if (collection instanceof IndexedCollection indexed && indexed.getIndex() instanceof Component key) {
                addObject(key, path, KEY);
            }
        } else if (value instanceof BasicValue && value.getType() instanceof BasicType<?> basic) {
            addNamed(basic.getJavaTypeDescriptor().getJavaType(), path);
        }
    }

    private void addObject(Component component, String path, @Nullable String why) {
        if (component.getComponentClassName() == null) {
            return;
        }
        String ungenerated = why == null && component.getAggregateColumn() != null ? AGGREGATE : why;
        Class<?> type = component.getComponentClass();
        places.add(new Place(type, path, null, ungenerated));
        if (component.isPolymorphic()) {
            ClassLoaderService classes = component.getServiceRegistry().requireService(ClassLoaderService.class);
            for (String name : component.getDiscriminatorValues().values()) {
                Class<?> subclass = classes.classForName(name);
                if (!subclass.equals(type)) {
                    places.add(new Place(subclass, path, type, ungenerated == null ? SUBCLASS : ungenerated));
                }
            }
        }
        add(component.getProperties(), path, ungenerated == null ? WITHIN : ungenerated);
    }

    /** Adds the classes in a type: itself, its elements, its arguments. Skips entities, which are copies of a row. */
    private void addNamed(@Nullable Type type, String path) {
        if (type instanceof Class<?> named) {
            if (named.isArray()) {
                addNamed(named.getComponentType(), path);
            } else if (!entities.contains(named)) {
                places.add(new Place(named, path, null, ONE_VALUE));
            }
        } else if (type instanceof ParameterizedType generic) {
            addNamed(generic.getRawType(), path);
            Stream.of(generic.getActualTypeArguments()).forEach(argument -> addNamed(argument, path));
        } else if (type instanceof GenericArrayType array) {
            addNamed(array.getGenericComponentType(), path);
        } else if (type instanceof WildcardType wildcard) {
            Stream.of(wildcard.getUpperBounds()).forEach(bound -> addNamed(bound, path));
        }
    }
}
