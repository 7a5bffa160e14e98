package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.property.Width;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The annotated properties of a persistence unit, as {@link MappingScan} found them, for their generators. Those know
 * neither the columns of their properties nor, in ids, the whole path. Immutable.
 */
public final class UnitProperties {

    /** The narrowest of each sequence. */
    private final Map<String, Width> widths = new HashMap<>();

    /** By the name of the entity, and the last step of the path. */
    private final Map<String, AnnotatedProperty> ids = new HashMap<>();

    /** @param columns of {@link MappingScan#of} */
    public UnitProperties(List<MappedProperty> columns) {
        for (MappedProperty column : columns) {
            SequenceUse use = column.ids().use();
            widths.merge(use.sequence(), use.width(), Width::narrower);
            if (!column.isValue()) {
                ids.put(column.ids().entity() + "." + column.ids().name(), column.ids());
            }
        }
    }

    /** An id, or a part of a composite id. Fails if the scan has not found it. */
    public AnnotatedProperty id(String entity, String name) {
        AnnotatedProperty id = ids.get(entity + "." + name);
        if (id == null) {
            throw unknown(entity + "." + name);
        }
        return id;
    }

    /** A value, limited to ids that its column holds. Fails if the scan has not found its sequence. */
    public AnnotatedProperty limit(AnnotatedProperty value) {
        Width width = widths.get(value.sequence());
        if (width == null) {
            throw unknown(value.toString());
        }
        return new AnnotatedProperty(
                value.entity(),
                value.path(),
                value.sequence(),
                value.conversion().within(width));
    }

    private static IllegalStateException unknown(String property) {
        return new IllegalStateException("The property is not known at the start: " + property);
    }
}
