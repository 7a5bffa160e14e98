package io.distributedid.hibernate.internal.mapping;

import io.distributedid.DistributedValue;
import org.hibernate.binder.AttributeBinder;
import org.hibernate.boot.spi.MetadataBuildingContext;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Property;
import org.hibernate.mapping.SingleTableSubclass;

/**
 * Makes the column of a {@link DistributedValue} NOT NULL in the schema export. Created by Hibernate; do not use it
 * directly.
 */
public final class DistributedValueBinder implements AttributeBinder<DistributedValue> {

    /** For Hibernate. */
    public DistributedValueBinder() {}

    @Override
    public void bind(
            DistributedValue annotation, MetadataBuildingContext context, PersistentClass entity, Property property) {
        // The table of a single-table hierarchy has rows of other classes, which have no number.
        if (!(entity instanceof SingleTableSubclass)) {
            property.getValue().getColumns().forEach(column -> column.setNullable(false));
        }
    }
}
