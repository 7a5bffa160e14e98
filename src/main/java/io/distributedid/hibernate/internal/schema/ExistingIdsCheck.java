package io.distributedid.hibernate.internal.schema;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceComparison;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.ConnectionIdSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;

/**
 * Compares each sequence with the largest id in the tables of its entities, according to
 * {@code distributedid.existing_ids}; ids that hold the time are compared with the clock. A counter that was not seen
 * above the ids of the tables is read again after them: if another process inserts an id meanwhile, the id comes from
 * the counter, which is then above it.
 */
final class ExistingIdsCheck {

    private static final Logger LOG = System.getLogger(ExistingIdsCheck.class.getName());

    private ExistingIdsCheck() {}

    /**
     * Opens sequences and compares them. Fails if a counter, or the clock, would give existing ids.
     *
     * @param opening of all sequences
     */
    static void check(
            Runnable opening, Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        Optional<ConnectionAccess> database = unit.database();
        if (database.isEmpty()) {
            opening.run();
            warnUncompared(columns, unit);
            return;
        }
        Set<Place> places = places(metadata, columns);
        List<IdPlace> compared = places.stream()
                .filter(place -> !PlaceComparison.isIgnored(place.ids().sequence(), unit.settings()))
                .map(place -> place.compared(factory))
                .toList();
        PlaceComparison comparison = new PlaceComparison(compared, unit.ids(), unit.settings(), LOG);
        StartConnection.read("ids", database.get(), unit.settings(), comparison::readLargest, opening, connection -> {
            comparison.compare(connection, unit.spaces(BootCheck.sequences(columns)));
            warnOfAutoIncrements(places, connection, factory);
        });
    }

    /** A column that stores ids of a sequence. Classes of one hierarchy may have a table each. */
    record Place(AnnotatedProperty ids, String entity, Table table, Column column, boolean assigned) {

        IdPlace compared(SessionFactoryImplementor factory) {
            SqlStringGenerationContext context = factory.getSqlStringGenerationContext();
            return new IdPlace(
                    entity,
                    ids.path(),
                    ids.sequence(),
                    ids.conversion().format().padded(),
                    assigned,
                    table.getQualifiedName(context),
                    column.getQuotedName(context.getDialect()),
                    ids.conversion().rewrittenBy());
        }
    }

    private static String whyNotCompared(UnitIds unit) {
        return unit.isReactive()
                ? "because Hibernate Reactive has no JDBC connections, and the persistence unit names no database with"
                        + " a JDBC driver on the class path (jakarta.persistence.jdbc.url=jdbc:...), or has tenants. A"
                        + " sequence that lies below the ids of a table issues them twice. Name a database, or compare"
                        + " the sequence by hand"
                : "because every connection belongs to a tenant, and none is known at the start. A sequence that lies"
                        + " below the ids of a tenant issues them twice. Compare the sequence with all tenants by hand";
    }

    /**
     * The databases are unknown: tenants, until their sessions get ids, and those of Hibernate Reactive without JDBC.
     */
    private static void warnUncompared(List<MappedProperty> columns, UnitIds unit) {
        Set<String> sequences = new TreeSet<>();
        columns.stream()
                .map(column -> column.ids().sequence())
                .filter(sequence -> !PlaceComparison.isIgnored(sequence, unit.settings()))
                .forEach(sequences::add);
        if (!sequences.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Sequences are not compared with the ids that exist: seq=" + String.join(",", sequences)
                            + ", " + whyNotCompared(unit)
                            + ": distributedid raise SEQ --dry-run --table TABLE --column COLUMN"
                            + " --database URL --database URL. To end this warning, set distributedid.existing_ids"
                            + "=ignore");
        }
    }

    /** All columns of these properties. */
    static Set<Place> places(Metadata metadata, List<MappedProperty> columns) {
        List<PersistentClass> subclasses = metadata.getEntityBindings().stream()
                .filter(UnionSubclass.class::isInstance)
                .toList();
        Set<Place> places = new LinkedHashSet<>();
        for (MappedProperty each : columns) {
            if (each.columns().size() == 1) {
                add(places, each, each.owner(), each.property().getValue().getTable());
                subclasses.stream()
                        .filter(subclass -> isBelow(subclass, each.owner()))
                        .forEach(subclass -> add(places, each, subclass, subclass.getTable()));
            }
        }
        return places;
    }

    private static boolean isBelow(PersistentClass subclass, PersistentClass owner) {
        PersistentClass each = subclass.getSuperclass();
        while (each != null && !each.equals(owner)) {
            each = each.getSuperclass();
        }
        return each != null;
    }

    private static void add(Set<Place> places, MappedProperty column, PersistentClass entity, Table table) {
        if (table.isPhysicalTable()) {
            places.add(new Place(
                    column.ids(),
                    entity.getEntityName(),
                    table,
                    column.columns().get(0),
                    column.assigned()));
        }
    }

    /**
     * Warns about columns that the database still numbers itself, with one query, whose failure does not fail the
     * start. Skips ids that the row's own database makes: there the DEFAULT gives the sequence's ids.
     */
    private static void warnOfAutoIncrements(
            Set<Place> places, SqlSupplier<Connection> connection, SessionFactoryImplementor factory) {
        Map<AutoIncrementColumns.Place, Place> columns = new LinkedHashMap<>();
        places.forEach(place -> columns.put(numbered(place, factory.getSqlStringGenerationContext()), place));
        try {
            AutoIncrementColumns.find(connection.get(), columns.keySet()).forEach((column, autoIncrement) -> {
                Place place = columns.get(column);
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

    private static AutoIncrementColumns.Place numbered(Place place, SqlStringGenerationContext context) {
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
