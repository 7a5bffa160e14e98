package io.distributedid.hibernate.internal.schema;

import static java.util.Objects.requireNonNull;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.jdbc.SqlSupplier;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceComparison;
import io.distributedid.internal.start.StartReading;
import io.distributedid.spi.ConnectionIdSource;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;
import org.jspecify.annotations.Nullable;

/**
 * Compares each sequence with the largest id in the tables of its entities, according to
 * {@code distributedid.existing_ids}; ids that hold the time are compared with the clock. If another process inserts an
 * id after its table was read, the id comes from the counter, which is then above it. For one thread.
 */
final class ExistingIdsCheck {

    private static final Logger LOG = System.getLogger(ExistingIdsCheck.class.getName());

    private final UnitIds unit;

    private final List<MappedProperty> columns;

    private final PlaceComparison comparison;

    /** Null if the database is not known. */
    private final @Nullable StartReading reading;

    /** Of the columns that the database numbers itself. Written by the first part of the reading. */
    private final Map<Place, String> numbered = new ConcurrentHashMap<>();

    /** Begins to read the tables. What needs no sequences is read while the caller goes on. */
    ExistingIdsCheck(Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        this.unit = UnitIds.of(factory);
        this.columns = columns;
        Set<Place> places = unit.database().isPresent() ? places(metadata, columns) : Set.of();
        SqlStringGenerationContext names = factory.getSqlStringGenerationContext();
        List<IdPlace> compared = places.stream()
                .filter(place -> !PlaceComparison.isIgnored(place.ids().sequence(), unit.settings()))
                .map(place -> place.compared(names))
                .toList();
        comparison = new PlaceComparison(compared, unit.ids(), unit.settings(), LOG);
        reading = unit.database()
                .map(database -> new StartReading("ids", database, unit.settings(), connection -> {
                    comparison.readLargest(connection);
                    findNumbered(places, names, connection);
                }))
                .orElse(null);
    }

    /**
     * Opens sequences and compares them. Fails if a counter, or the clock, would give existing ids.
     *
     * @param opening of all sequences
     */
    void finish(Runnable opening) {
        if (reading == null) {
            opening.run();
            warnUncompared(columns, unit);
        } else {
            reading.finish(opening, connection -> {
                comparison.compare(connection, unit.spaces(BootCheck.sequences(columns)));
                warnOfNumbered();
            });
        }
    }

    /** The SessionFactory is not created. */
    void cancel() {
        if (reading != null) {
            reading.cancel();
        }
    }

    /** A column that stores ids of a sequence. Classes of one hierarchy may have a table each. */
    record Place(AnnotatedProperty ids, String entity, Table table, Column column, boolean assigned) {

        IdPlace compared(SqlStringGenerationContext context) {
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
     * Finds the columns that the database still numbers itself, with one query, whose failure does not fail the start.
     */
    private void findNumbered(Set<Place> places, SqlStringGenerationContext names, SqlSupplier<Connection> connection) {
        Map<AutoIncrementColumns.Place, Place> byColumn = new LinkedHashMap<>();
        places.forEach(place -> byColumn.put(column(place, names), place));
        try {
            AutoIncrementColumns.find(connection.get(), byColumn.keySet())
                    .forEach((column, how) -> numbered.put(
                            requireNonNull(byColumn.get(column)), AutoIncrementColumns.describe(column, how)));
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "Whether the database numbers rows by itself can't be seen", e);
        }
    }

    /** Skips ids that the row's own database makes: there the DEFAULT gives the sequence's ids. */
    private void warnOfNumbered() {
        numbered.forEach((place, how) -> {
            if (!isNumberedByItsDatabase(place.ids(), unit)) {
                LOG.log(
                        Level.WARNING,
                        "{0} (seq={1}): {2}",
                        place.entity(),
                        place.ids().sequence(),
                        how);
            }
        });
    }

    private static boolean isNumberedByItsDatabase(AnnotatedProperty ids, UnitIds unit) {
        return unit.ids().sequence(ids.sequence(), ids.conversion().maxValue(), ids.usedBy())
                instanceof ConnectionIdSource;
    }

    private static AutoIncrementColumns.Place column(Place place, SqlStringGenerationContext context) {
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
