package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.PerKey;
import java.lang.reflect.AnnotatedElement;
import java.math.BigInteger;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.hibernate.annotations.TenantId;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.BasicValue;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.hibernate.type.descriptor.converter.spi.JpaAttributeConverter;
import org.jspecify.annotations.Nullable;

/** Whether a number per key is where a flush can take it, and the property with the key can be one. */
final class PerKeyCheck {

    private static final Set<Class<?>> TYPES = Set.of(
            long.class,
            Long.class,
            int.class,
            Integer.class,
            short.class,
            Short.class,
            byte.class,
            Byte.class,
            BigInteger.class,
            String.class,
            UUID.class);

    private static final String ALLOWED =
            "a whole number, a String, a UUID, a type of your own with an AttributeConverter"
                    + " to one of them, or an association to an entity with such an id in one column";

    private PerKeyCheck() {}

    /** Throws unless it is. */
    static void require(MappedProperty column, Metadata metadata) {
        column.perKey().ifPresent(key -> {
            requirePlain(key, column.ids());
            require(key, column.ids(), column.owner(), metadata);
        });
    }

    private static void requirePlain(PerKey key, AnnotatedProperty number) {
        if (number.path().indexOf('.') >= 0) {
            throw new IdConfigurationException("A number per key must be a property of an entity or a mapped"
                    + " superclass: " + number + " per=" + key.path()
                    + " is in an embedded object. Move it into the entity; its key may stay there");
        }
        number.conversion().applicationType().ifPresent(type -> {
            throw new IdConfigurationException("A number per key must be stored as it is: " + number + " per="
                    + key.path() + " is written by " + type
                    + ". Remove that, and use a long, Long, int, Integer, BigInteger, BigDecimal or String; make other"
                    + " texts of the number where they are shown");
        });
    }

    private static void require(PerKey key, AnnotatedProperty number, PersistentClass owner, Metadata metadata) {
        List<Property> properties = owner.getPropertyClosure();
        Property found = null;
        for (String name : key.path().split("\\.", -1)) {
            List<Property> known = properties;
            found = known.stream()
                    .filter(each -> each.getName().equals(name))
                    .findFirst()
                    .orElseThrow(() -> refused(
                            key,
                            number,
                            "is no property of the entity outside of its id. There are: "
                                    + known.stream()
                                            .map(Property::getName)
                                            .filter(each -> !each.equals(MappingScan.ID_CLASS))
                                            .sorted()
                                            .collect(Collectors.joining(", "))));
            properties = found.getValue() instanceof Component component ? component.getProperties() : List.of();
        }
        if (found == null || !isKey(found.getValue(), metadata)) {
            throw refused(key, number, "can't be a key. Allowed: " + ALLOWED);
        }
        if (key.path().equals(number.path())) {
            throw refused(key, number, "is the number itself. Name another property");
        }
        if (found.getValueGeneratorCreator() != null && !isTenant(found, owner)) {
            throw refused(
                    key,
                    number,
                    "is generated when the row is inserted, perhaps after the number. A key must be set before: name"
                            + " a property that the application sets");
        }
    }

    /** Hibernate refuses a tenant that is not that of the session. It is null before. */
    private static boolean isTenant(Property property, PersistentClass owner) {
        return owner.getPropertyClosure().contains(property)
                && property.getGetter(owner.getMappedClass()).getMember() instanceof AnnotatedElement member
                && member.isAnnotationPresent(TenantId.class);
    }

    private static boolean isKey(@Nullable Value value, Metadata metadata) {
        if (value instanceof ToOne association) {
            PersistentClass target = metadata.getEntityBinding(association.getReferencedEntityName());
            return target != null && isKey(target.getIdentifier(), metadata);
        }
        return value instanceof BasicValue
                && TYPES.contains(
                        value.getType() instanceof BasicType<?> basic
                                        && basic.getValueConverter() instanceof JpaAttributeConverter<?, ?> converter
                                ? converter.getRelationalJavaType().getJavaTypeClass()
                                : value.getType().getReturnedClass());
    }

    private static IdConfigurationException refused(PerKey key, AnnotatedProperty number, String why) {
        return new IdConfigurationException(
                "The key of a number must be a property: " + number + " per=" + key.path() + " " + why);
    }
}
