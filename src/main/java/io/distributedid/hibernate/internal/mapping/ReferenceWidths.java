package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.IdType;
import io.distributedid.internal.property.Width;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Any;
import org.hibernate.mapping.Collection;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.Component;
import org.hibernate.mapping.IndexedCollection;
import org.hibernate.mapping.Join;
import org.hibernate.mapping.JoinedSubclass;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.ToOne;
import org.hibernate.mapping.Value;
import org.hibernate.type.BasicType;
import org.jspecify.annotations.Nullable;

/**
 * Refuses columns that refer to an id and are narrower: of associations, collections, secondary tables and tables of
 * subclasses. They have the type of the id, unless they have a {@code columnDefinition}. The key of an {@code @Any}
 * always has its own type.
 */
public final class ReferenceWidths {

    private record Place(Table table, String column) {}

    private final Metadata metadata;

    private final List<MappedProperty> columns;

    /** The columns of ids and of references to them. */
    private final Map<Place, AnnotatedProperty> ids = new HashMap<>();

    private final Set<Place> checked = new HashSet<>();

    private ReferenceWidths(Metadata metadata, List<MappedProperty> columns) {
        this.metadata = metadata;
        this.columns = columns;
    }

    public static void check(Metadata metadata, List<MappedProperty> columns) {
        ReferenceWidths widths = new ReferenceWidths(metadata, columns);
        for (MappedProperty each : columns) {
            each.columns().forEach(column -> widths.ids.put(place(column), each.ids()));
        }
        int before = 0;
        // Repeats for references to references.
        while (before < widths.ids.size()) {
            before = widths.ids.size();
            metadata.getEntityBindings().forEach(widths::check);
        }
    }

    private static Place place(Column column) {
        return new Place(column.getValue().getTable(), column.getName());
    }

    private void check(PersistentClass entity) {
        String name = entity.getEntityName();
        if (entity instanceof JoinedSubclass) {
            compare(entity.getKey(), entity.getIdentifier(), name);
        }
        for (Join join : entity.getJoins()) {
            compare(join.getKey(), entity.getIdentifier(), name);
        }
        check(entity.getIdentifier(), name);
        check(entity.getProperties(), name);
    }

    private void check(List<Property> properties, String path) {
        properties.forEach(property -> check(property.getValue(), path + "." + property.getName()));
    }

    private void check(Value value, String path) {
        if (value instanceof Component component) {
            check(component.getProperties(), path);
        } else if (value instanceof ToOne reference) {
            PersistentClass target = metadata.getEntityBinding(reference.getReferencedEntityName());
            if (target != null) {
                compare(reference, referenced(target, reference.getReferencedPropertyName()), path);
            }
        } else if (value instanceof Any any) {
            compare(any, path);
        } else if (value instanceof Collection collection) {
            compare(
                    collection.getKey(),
                    referenced(collection.getOwner(), collection.getReferencedPropertyName()),
                    path);
            check(collection.getElement(), path);
            if (collection instanceof IndexedCollection indexed && indexed.getIndex() != null) {
                check(indexed.getIndex(), path);
            }
        }
    }

    private static Value referenced(PersistentClass target, @Nullable String property) {
        return property == null
                ? target.getIdentifier()
                : target.getReferencedProperty(property).getValue();
    }

    private void compare(Value reference, Value target, String path) {
        List<Column> from = reference.getColumns();
        List<Column> to = target.getColumns();
        for (int i = 0; i < from.size() && from.size() == to.size(); i++) {
            AnnotatedProperty id = ids.get(place(to.get(i)));
            if (id != null && ids.putIfAbsent(place(from.get(i)), id) == null) {
                requireWidth(from.get(i), id, path);
            }
        }
    }

    /** Checks the JDBC type too, since Hibernate binds the key with it. */
    private void compare(Any any, String path) {
        Value key = any.getKeyDescriptor();
        Column column = key.getColumns().get(0);
        for (MappedProperty each : columns) {
            if (isTarget(any, each)) {
                if (key.getType() instanceof BasicType<?> type) {
                    require(ColumnWidths.of(type), column, each.ids(), path);
                }
                requireWidth(column, each.ids(), path);
            }
        }
    }

    /** Without named entities, all whose ids fit its Java type are targets. Hibernate refuses the others at runtime. */
    private boolean isTarget(Any any, MappedProperty id) {
        if (id.isValue() || id.owner().getIdentifier() instanceof Component) {
            return false;
        }
        Map<?, String> entities = any.getMetaValues();
        if (entities == null || entities.isEmpty()) {
            return IdType.of(any.getKeyDescriptor().getType().getReturnedClass())
                    .filter(type -> type.maxValue() >= id.ids().conversion().maxValue())
                    .isPresent();
        }
        return entities.values().stream()
                .map(metadata::getEntityBinding)
                .anyMatch(entity -> entity != null && entity.getRootClass().equals(id.owner()));
    }

    private void requireWidth(Column column, AnnotatedProperty id, String path) {
        if (checked.add(place(column))) {
            ColumnWidths.of(column, metadata, path).ifPresent(width -> require(width, column, id, path));
        }
    }

    private static void require(Width width, Column column, AnnotatedProperty id, String path) {
        if (width.maxValue() < id.conversion().maxValue()) {
            throw new IdConfigurationException("A column that refers to an id must hold the same ids: " + path
                    + " column="
                    + column.getName() + ", " + width.limit() + ", up to " + width.maxValue() + ", refers to " + id
                    + id.conversion().limit() + " up to " + id.conversion().maxValue()
                    + ". Give the column the type of the id");
        }
    }
}
