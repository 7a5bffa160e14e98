package io.distributedid.hibernate.internal.mapping;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.property.Width;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Optional;
import org.hibernate.MappingException;
import org.hibernate.boot.Metadata;
import org.hibernate.mapping.Column;

/**
 * Limits the ids of a property to those that its column holds, by its {@code columnDefinition}, {@code length} and
 * {@code precision}.
 */
final class ColumnWidths {

    private static final Logger LOG = System.getLogger(ColumnWidths.class.getName());

    private ColumnWidths() {}

    /** Limits a property to the width of its column. Fails if the column can't hold any id. */
    static MappedProperty narrowed(MappedProperty column, Metadata metadata) {
        if (column.columns().size() != 1) {
            return column;
        }
        Optional<Width> known =
                of(column.columns().get(0), metadata, column.ids().toString());
        if (known.isEmpty()) {
            return column;
        }
        Width width = known.get();
        if (width.maxValue() < 1) {
            throw new IdConfigurationException("A column must hold whole numbers: " + column.ids() + " " + width.limit()
                    + ", allowed: bigint, numeric(19), varchar(19) or wider");
        }
        return column.within(width);
    }

    /** Empty, and logged, if the column's type is unknown. */
    static Optional<Width> of(Column column, Metadata metadata, String usedBy) {
        String type = sqlType(column, metadata);
        Optional<Width> width = SqlTypeWidth.of(type, metadata.getDatabase().getDialect());
        if (width.isEmpty()) {
            LOG.log(
                    Level.INFO,
                    "The type of a column is not known, so make sure that it holds the ids: {0} column {1} {2}",
                    usedBy,
                    column.getName(),
                    type);
        }
        return width;
    }

    /** Uses a copy, since Hibernate stores the result in the column. */
    private static String sqlType(Column column, Metadata metadata) {
        try {
            return column.clone().getSqlType(metadata);
        } catch (MappingException e) {
            LOG.log(Level.DEBUG, "Hibernate knows no type of a column: " + column.getName(), e);
            return "?";
        }
    }
}
