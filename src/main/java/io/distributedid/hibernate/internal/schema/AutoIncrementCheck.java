package io.distributedid.hibernate.internal.schema;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.spi.ConnectionIdSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Table;

/**
 * Warns at start about columns that the database still numbers itself, although their ids come from one of our
 * sequences. Skips ids that the row's own database makes: there the DEFAULT gives the sequence's ids.
 */
final class AutoIncrementCheck {

    private static final Logger LOG = System.getLogger(AutoIncrementCheck.class.getName());

    private AutoIncrementCheck() {}

    /** Checks all columns with one query. A failure does not fail the start. */
    static void warn(
            Set<ExistingIdsCheck.Place> places, SqlSupplier<Connection> connection, SessionFactoryImplementor factory) {
        Map<AutoIncrementColumns.Place, ExistingIdsCheck.Place> columns = new LinkedHashMap<>();
        places.forEach(place -> columns.put(column(place, factory.getSqlStringGenerationContext()), place));
        try {
            AutoIncrementColumns.find(connection.get(), columns.keySet()).forEach((column, autoIncrement) -> {
                ExistingIdsCheck.Place place = columns.get(column);
                if (place != null && !isNumberedByItsDatabase(place.ids(), UnitIds.of(factory))) {
                    LOG.log(
                            Level.WARNING,
                            "{0} (seq={1}): {2}",
                            place.entity(),
                            place.ids().sequence(),
                            AutoIncrementColumns.describe(column, autoIncrement));
                }
            });
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Whether the database numbers rows by itself can't be seen", e);
        }
    }

    private static boolean isNumberedByItsDatabase(AnnotatedProperty ids, UnitIds unit) {
        return unit.ids().sequence(ids.sequence(), ids.conversion().maxValue(), ids.usedBy())
                instanceof ConnectionIdSource;
    }

    private static AutoIncrementColumns.Place column(ExistingIdsCheck.Place place, SqlStringGenerationContext context) {
        Table table = place.table();
        return new AutoIncrementColumns.Place(
                Stream.of(
                                context.schemaWithDefault(table.getSchemaIdentifier()),
                                context.catalogWithDefault(table.getCatalogIdentifier()))
                        .flatMap(Stream::ofNullable)
                        .map(Identifier::getText)
                        .findFirst(),
                table.getName(),
                place.column().getName(),
                table.getQualifiedName(context),
                place.column().getQuotedName(context.getDialect()));
    }
}
