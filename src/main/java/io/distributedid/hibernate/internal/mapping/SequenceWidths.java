package io.distributedid.hibernate.internal.mapping;

import io.distributedid.internal.property.SequenceUse;
import io.distributedid.internal.property.Width;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How large the ids of each sequence may be, as {@link MappingScan} found it in properties and their columns. A
 * generator knows only its property. All properties of a sequence have one width. Immutable.
 */
public final class SequenceWidths {

    private final Map<String, Width> bySequence = new HashMap<>();

    private SequenceWidths() {}

    /**
     * The narrowest width of each sequence.
     *
     * @param columns of {@link MappingScan#of}
     */
    public static SequenceWidths of(List<MappedProperty> columns) {
        SequenceWidths widths = new SequenceWidths();
        for (MappedProperty column : columns) {
            SequenceUse use = column.ids().use();
            widths.bySequence.merge(use.sequence(), use.width(), Width::narrower);
        }
        return widths;
    }

    /** The property, limited to ids that its column holds. Fails if the scan has not found it. */
    public AnnotatedProperty limit(AnnotatedProperty property) {
        Width width = bySequence.get(property.sequence());
        if (width == null) {
            throw new IllegalStateException("The property is not known at the start: " + property);
        }
        return property.within(width);
    }
}
