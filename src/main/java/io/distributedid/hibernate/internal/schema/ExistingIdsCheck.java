package io.distributedid.hibernate.internal.schema;

import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.existing.AutoIncrementColumns;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.place.RememberedPlaces;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceCheck;
import io.distributedid.internal.start.PlaceComparison;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.boot.model.relational.SqlStringGenerationContext;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;
import org.jspecify.annotations.Nullable;

/**
 * Compares each sequence with the largest id in the tables of its entities, according to
 * {@code distributedid.existing_ids}; ids that hold the time are compared with the clock. The tables are read before
 * the counters: if another process inserts an id meanwhile, the id comes from the counter, which is then above it.
 */
final class ExistingIdsCheck {

    private static final Logger LOG = System.getLogger(ExistingIdsCheck.class.getName());

    private final UnitIds unit;

    private final List<MappedProperty> columns;

    /** Of the places that are compared, and whose columns Hibernate writes. */
    private final List<PlaceCheck> checks;

    /** The others that are compared: a converter may be a bean that is not ready before the SessionFactory is. */
    private final List<Place> written;

    /** The columns that the database may number. */
    private final Map<AutoIncrementColumns.Place, Place> numberable;

    private Optional<EarlyReads> early = Optional.empty();

    private ExistingIdsCheck(SessionFactoryImplementor factory, List<MappedProperty> columns, Set<Place> places) {
        this.unit = UnitIds.of(factory);
        this.columns = columns;
        Map<Boolean, List<Place>> compared = places.stream()
                .filter(place -> !PlaceCheck.isIgnored(place.ids().sequence(), unit.settings()))
                .collect(Collectors.partitioningBy(
                        place -> place.ids().conversion().hasWriter()));
        this.checks = checks(Objects.requireNonNull(compared.get(false)), factory);
        this.written = Objects.requireNonNull(compared.get(true));
        this.numberable = AutoIncrementCheck.columns(places, factory);
    }

    private static ExistingIdsCheck of(
            Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        return new ExistingIdsCheck(factory, columns, places(metadata, columns));
    }

    /** Begins to read while the SessionFactory is built; empty if that is not safe. */
    static Optional<ExistingIdsCheck> begin(
            Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        if (columns.isEmpty() || !EarlyReads.areAllowed(factory, UnitIds.of(factory))) {
            return Optional.empty();
        }
        ExistingIdsCheck check = of(metadata, columns, factory);
        Set<IdColumn> together = new LinkedHashSet<>();
        check.checks.stream().filter(PlaceCheck::isReadTogether).forEach(each -> together.add(each.largest()));
        check.early = Optional.of(EarlyReads.begin(
                check.unit,
                together,
                PlaceComparison.limit(check.checks),
                check.numberable.keySet(),
                BootCheck.sequences(columns)));
        return Optional.of(check);
    }

    private List<PlaceCheck> checks(List<Place> places, SessionFactoryImplementor factory) {
        return places.stream()
                .map(place -> new PlaceCheck(place.compared(factory), unit.ids(), unit.settings(), LOG))
                .toList();
    }

    /** Whether the sequences are prepared for their opening. May wait for a thread that prepares them. */
    boolean havePreparedCounters() {
        return early.map(EarlyReads::havePreparedCounters).orElse(false);
    }

    /**
     * Fails if a counter, or the clock, would give existing ids.
     *
     * @param begun see {@link #begin}
     */
    static void check(
            Optional<ExistingIdsCheck> begun,
            Metadata metadata,
            List<MappedProperty> columns,
            SessionFactoryImplementor factory) {
        UnitIds unit = UnitIds.of(factory);
        Optional<ConnectionAccess> database = unit.database();
        if (database.isPresent()) {
            ExistingIdsCheck check = begun.orElseGet(() -> of(metadata, columns, factory));
            List<PlaceCheck> all = new ArrayList<>(check.checks);
            all.addAll(check.checks(check.written, factory));
            StartConnection.read(
                    "ids",
                    database.get(),
                    unit.settings(),
                    connection -> check.checkAll(all, connection, database.get()));
        } else {
            warnUncompared(columns, unit);
        }
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
                        + " a JDBC driver on the class path (jakarta.persistence.jdbc.url=jdbc:...), or has tenants."
                        + " A sequence that lies below the ids of a table gives them twice. Name one, or compare it"
                        + " by hand"
                : "because every connection belongs to a tenant, and none is known at the start."
                        + " A sequence that lies below the ids of a tenant gives them twice. Compare it with all"
                        + " tenants by hand";
    }

    /**
     * The databases are unknown: tenants, until their sessions get ids, and those of Hibernate Reactive without JDBC.
     */
    private static void warnUncompared(List<MappedProperty> columns, UnitIds unit) {
        Set<String> sequences = new TreeSet<>();
        columns.stream()
                .map(column -> column.ids().sequence())
                .filter(sequence -> !PlaceCheck.isIgnored(sequence, unit.settings()))
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

    private @Nullable Void checkAll(List<PlaceCheck> all, StartConnection connection, ConnectionAccess database)
            throws SQLException {
        EarlyReads.Tables read = early.map(EarlyReads::tables).orElse(EarlyReads.Tables.UNREAD);
        checkIdSpaces(connection, database);
        PlaceComparison.compare(all, unit.ids(), connection, read.largest());
        AutoIncrementCheck.warn(numberable, read.numbered(), connection, unit);
        return null;
    }

    /** Runs first: no counter may be raised in the wrong place. */
    private void checkIdSpaces(StartConnection connection, ConnectionAccess database) throws SQLException {
        Map<String, RememberedPlaces.IdSpace> spaces = unit.spaces(BootCheck.sequences(columns));
        if (!spaces.isEmpty()) {
            new RememberedPlaces(connection.get(), database.namespace(), database.label()).check(spaces);
        }
    }
}
