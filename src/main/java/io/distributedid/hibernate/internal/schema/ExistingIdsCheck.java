package io.distributedid.hibernate.internal.schema;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.mapping.AggregatedColumn;
import io.distributedid.hibernate.internal.mapping.AnnotatedProperty;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.counter.IdSpaceCheck;
import io.distributedid.internal.existing.IdColumn;
import io.distributedid.internal.existing.LargestOfMany;
import io.distributedid.internal.jdbc.BoundedConnect;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.spi.ConnectionAccess;
import io.distributedid.spi.LargestIds;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.hibernate.boot.Metadata;
import org.hibernate.dialect.Dialect;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.mapping.Column;
import org.hibernate.mapping.PersistentClass;
import org.hibernate.mapping.Table;
import org.hibernate.mapping.UnionSubclass;
import org.jspecify.annotations.Nullable;

/**
 * Compares each sequence with the largest id in the tables of its entities, according to
 * {@link DistributedIdSettings#EXISTING_IDS}; ids that hold the time are compared with the clock. The tables are read
 * before the counters: if another process inserts an id meanwhile, the id comes from the counter, which is then above
 * it. This runs on a thread of the library, because the SessionFactory may be created in a transaction, which the
 * table's connection must not join.
 */
final class ExistingIdsCheck {

    private static final Logger LOG = System.getLogger(ExistingIdsCheck.class.getName());

    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private final SessionFactoryImplementor factory;

    private final UnitIds unit;

    private ExistingIdsCheck(SessionFactoryImplementor factory, UnitIds unit) {
        this.factory = factory;
        this.unit = unit;
    }

    /** Fails if a counter, or the clock, would give existing ids. */
    static void check(
            Metadata metadata,
            List<MappedProperty> columns,
            Optional<EarlyReads> early,
            SessionFactoryImplementor factory,
            UnitIds unit) {
        ConnectionAccess database = unit.database().orElse(null);
        if (database == null) {
            warnOfTenants(columns, unit);
            return;
        }
        ExistingIdsCheck check = new ExistingIdsCheck(factory, unit);
        try {
            LibraryThread.call(() -> check.checkAll(places(metadata, columns), columns, early, database));
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The ids in use can't be read: " + database.label() + " said: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while reading the ids in use: " + database.label(), e);
        }
    }

    /** Begins to read while the SessionFactory is built; empty if that is not safe. */
    static Optional<EarlyReads> readEarly(
            Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        if (columns.isEmpty()) {
            return Optional.empty();
        }
        UnitIds unit = UnitIds.of(factory);
        if (!EarlyReads.areAllowed(factory, unit)) {
            return Optional.empty();
        }
        Set<Place> places = places(metadata, columns);
        ExistingIdsCheck check = new ExistingIdsCheck(factory, unit);
        Set<IdColumn> together = new LinkedHashSet<>();
        check.placeChecks(places).stream()
                .filter(PlaceCheck::isReadTogether)
                .forEach(each -> together.add(each.largest()));
        return Optional.of(EarlyReads.begin(
                unit, together, AutoIncrementCheck.columns(places, factory).keySet(), BootCheck.sequences(columns)));
    }

    private List<PlaceCheck> placeChecks(Set<Place> places) {
        return places.stream()
                .filter(place -> !PlaceCheck.isIgnored(place.ids().sequence(), unit))
                .map(place -> new PlaceCheck(place, factory, unit))
                .toList();
    }

    /**
     * A column that stores ids of a sequence. Classes of one hierarchy may have a table each.
     *
     * @param aggregated whether the column lies within another one, for example of JSON
     */
    record Place(
            AnnotatedProperty ids, String entity, Table table, Column column, boolean assigned, boolean aggregated) {

        String sql(Dialect dialect) {
            return (aggregated ? AggregatedColumn.sql(column, dialect) : Optional.<String>empty())
                    .orElseGet(() -> column.getQuotedName(dialect));
        }
    }

    /** The tenants are unknown until their sessions are opened and get ids. */
    private static void warnOfTenants(List<MappedProperty> columns, UnitIds unit) {
        Set<String> sequences = new TreeSet<>();
        columns.stream()
                .map(column -> column.ids().sequence())
                .filter(sequence -> !PlaceCheck.isIgnored(sequence, unit))
                .forEach(sequences::add);
        if (!sequences.isEmpty()) {
            LOG.log(
                    Level.WARNING,
                    "Sequences are not compared with the ids that exist: seq=" + String.join(",", sequences)
                            + ", because every connection belongs to a tenant, and none is known at the start."
                            + " A sequence that lies below the ids of a tenant gives them twice. Compare it with all"
                            + " tenants by hand: distributedid cut-over SEQ --dry-run --table TABLE --column COLUMN"
                            + " --shard URL --shard URL. To end this warning, set " + DistributedIdSettings.EXISTING_IDS
                            + "=ignore");
        }
    }

    private static Set<Place> places(Metadata metadata, List<MappedProperty> columns) {
        Set<Place> places = new LinkedHashSet<>();
        for (MappedProperty each : columns) {
            if (each.columns().size() == 1) {
                add(places, each, each.owner(), each.property().getValue().getTable());
                metadata.getEntityBindings().stream()
                        .filter(UnionSubclass.class::isInstance)
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
                    column.assigned(),
                    AggregatedColumn.is(column)));
        }
    }

    private @Nullable Void checkAll(
            Set<Place> places, List<MappedProperty> columns, Optional<EarlyReads> early, ConnectionAccess database)
            throws SQLException, InterruptedException {
        EarlyReads.Tables read = early.map(EarlyReads::tables).orElse(EarlyReads.Tables.UNREAD);
        Connection connection = connect(database);
        try {
            checkIdSpaces(columns, connection, database);
            compareAll(readAll(places, connection, read.largest()));
            AutoIncrementCheck.warn(places, read.numbered(), connection, factory, unit);
        } finally {
            release(database, connection);
        }
        return null;
    }

    /** The existing ids of each place. Usual columns are read together, unless they were read before. */
    private Map<PlaceCheck, LargestIds> readAll(
            Set<Place> places, Connection connection, Map<IdColumn, List<Long>> before) throws SQLException {
        Map<PlaceCheck, IdColumn> columns = new LinkedHashMap<>();
        Set<IdColumn> together = new LinkedHashSet<>();
        for (PlaceCheck check : placeChecks(places)) {
            columns.put(check, check.column());
            if (check.isReadTogether()) {
                together.add(columns.get(check));
            }
        }
        Map<IdColumn, List<Long>> known = LargestOfMany.read(connection, together, before);
        Map<PlaceCheck, LargestIds> read = new LinkedHashMap<>();
        columns.forEach((check, column) -> read.put(check, check.read(connection, column, known.get(column))));
        return read;
    }

    private void compareAll(Map<PlaceCheck, LargestIds> read) throws SQLException {
        Map<String, List<Long>> existing = new LinkedHashMap<>();
        Map<String, List<Long>> raised = new LinkedHashMap<>();
        for (Map.Entry<PlaceCheck, LargestIds> each : read.entrySet()) {
            (each.getKey().isRaised() ? raised : existing)
                    .computeIfAbsent(each.getKey().sequence(), sequence -> new ArrayList<>())
                    .addAll(each.getKey().known(each.getValue()));
        }
        unit.ids().prepareAbove(existing);
        unit.ids().prepareRaiseAbove(raised);
        for (Map.Entry<PlaceCheck, LargestIds> each : read.entrySet()) {
            each.getKey().compare(each.getValue());
        }
    }

    /** Runs first: no counter may be raised in the wrong place. */
    private void checkIdSpaces(List<MappedProperty> columns, Connection connection, ConnectionAccess database)
            throws SQLException {
        Set<String> sequences = new LinkedHashSet<>();
        columns.forEach(column -> sequences.add(column.ids().sequence()));
        IdSpaceCheck.check(unit.spaces(sequences), connection, database.namespace(), database.label());
    }

    /** With a pool, this is the first connection beside the one that is kept for ids. */
    private static Connection connect(ConnectionAccess database) throws InterruptedException {
        try {
            return BoundedConnect.obtain(database, CONNECT_TIMEOUT);
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "The application's database gives no connection within " + CONNECT_TIMEOUT.toSeconds() + " s: "
                            + database.label() + " said: " + e.getMessage()
                            + ". If it is a pool, it must have room for one connection that is kept for ids, beside"
                            + " those of the application; or name the database by its URL"
                            + " (distributedid.sequence_table.servers)",
                    e);
        }
    }

    private static void release(ConnectionAccess database, Connection connection) {
        try {
            database.release(connection);
        } catch (SQLException e) {
            LOG.log(Level.DEBUG, "A connection could not be given back: " + database.label(), e);
        }
    }
}
