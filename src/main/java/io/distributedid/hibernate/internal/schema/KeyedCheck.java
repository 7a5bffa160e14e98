package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.KeyedValues;
import io.distributedid.hibernate.internal.generate.NumberedKeys;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.NumberedRows;
import io.distributedid.internal.start.PlaceCheck;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Checks numbers per key at start: their table and record, and that no row has a number of a sequence that would give
 * it again, because it is new or another one. If the keys are counted in the application's database, one that is
 * counted is enough, or a floor above all numbers. Otherwise the keys of some rows are looked up, see
 * {@link GivenNumbers}. Rows are read within a limit, see {@link NumberedRows}. With tenants, whose databases are
 * unknown then, only the servers of the settings.
 */
final class KeyedCheck {

    private static final Logger LOG = System.getLogger(KeyedCheck.class.getName());

    private static final NumberedRows.Doubt ELSEWHERE = new NumberedRows.Doubt(
            LOG, "whether the numbers of rows were given by their sequence", "Those that were not are given again");

    private static final String UNREAD = "the rows that sessions read show no key with a number: others are hidden, for"
            + " example by @SoftDelete or @SQLRestriction, or have no key, or a text that the converter writes for no"
            + " number";

    private final UnitIds unit;

    private final SessionFactoryImplementor factory;

    private KeyedCheck(SessionFactoryImplementor factory) {
        unit = UnitIds.of(factory);
        this.factory = factory;
    }

    /** Lets generators use them, and checks them unless that is put off. */
    static void open(Metadata metadata, List<MappedProperty> columns, SessionFactoryImplementor factory) {
        KeyedValues.open(columns, factory);
        KeyedCheck check = new KeyedCheck(factory);
        for (MappedProperty column : columns) {
            try {
                check.require(column, metadata);
            } catch (IdConfigurationException e) {
                throw new IdConfigurationException(column.ids() + ": " + e.getMessage(), e);
            }
        }
    }

    private void require(MappedProperty column, Metadata metadata) {
        KeyedNumbers numbers = (KeyedNumbers) unit.ids().keyed(column.ids().sequence());
        boolean isGapless = column.perKey().map(PerKey::gapless).orElse(false);
        if (isGapless) {
            numbers.requireInTransactions();
        }
        if (!unit.isOpenedAtStart()) {
            return;
        }
        if (!isGapless && numbers.isRow()) {
            // Reads the record, and checks the table.
            long unused = numbers.current("0");
        }
        Optional<ConnectionAccess> database = unit.database();
        if (database.isEmpty()) {
            return;
        }
        boolean isCompared = !PlaceCheck.isIgnored(column.ids().sequence(), unit.settings());
        List<IdPlace> places = ExistingIdsCheck.places(metadata, List.of(column)).stream()
                .map(place -> place.compared(factory))
                .toList();
        if (numbers.isInApplication()) {
            inDatabase(database.get(), connection -> {
                if (isGapless) {
                    numbers.requireTable(connection.get());
                }
                if (isCompared) {
                    requireNoRows(column, places, connection, numbers, isGapless);
                }
            });
        } else if (isCompared && !places.isEmpty()) {
            requireGiven(column, places, numbers, database.get());
        }
    }

    @FunctionalInterface
    private interface Work {
        void with(StartConnection connection) throws SQLException;
    }

    private void inDatabase(ConnectionAccess database, Work work) {
        try {
            LibraryThread.call(() -> {
                try (StartConnection connection = new StartConnection(database, unit.settings())) {
                    work.with(connection);
                }
                return true;
            });
        } catch (SQLException e) {
            throw new IdUnavailableException(
                    "Numbers per key can't be checked: " + database.label() + " said: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IdUnavailableException("Interrupted while checking numbers per key: " + database.label(), e);
        }
    }

    /**
     * Otherwise the keys of these rows would begin at 1 again, or above a floor that is too low. If another process
     * inserts a row meanwhile, its number was counted before. So after a row is found, the counter is read again.
     */
    private void requireNoRows(
            MappedProperty column,
            List<IdPlace> places,
            StartConnection connection,
            KeyedNumbers numbers,
            boolean isGapless)
            throws SQLException {
        OptionalLong floor = floorOfUncounted(connection, numbers, isGapless);
        for (IdPlace place : places) {
            while (floor.isPresent()) {
                NumberedRows rows = rowsAbove(floor.getAsLong(), column, connection);
                if (!rows.existAbove(place, floor.getAsLong())) {
                    break;
                }
                OptionalLong now = floorOfUncounted(connection, numbers, isGapless);
                if (now.equals(floor)) {
                    throw uncounted(place, rows.stored(place), numbers, floor.getAsLong());
                }
                floor = now;
            }
        }
    }

    /** What all keys would begin above; empty if one is counted. */
    private static OptionalLong floorOfUncounted(StartConnection connection, KeyedNumbers numbers, boolean isGapless)
            throws SQLException {
        if (numbers.isUsed(connection.get())) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(isGapless ? 0 : numbers.floor(connection.get()));
    }

    private NumberedRows rowsAbove(long floor, MappedProperty column, StartConnection connection) {
        return rows(
                column,
                connection,
                floor == 0
                        ? new NumberedRows.Doubt(
                                LOG, "whether rows have numbers", "If one has, each key begins at 1 again")
                        : new NumberedRows.Doubt(
                                LOG,
                                "whether rows have numbers above the floor=" + floor,
                                "If one has, it is given again"));
    }

    private NumberedRows rows(MappedProperty column, StartConnection connection, NumberedRows.Doubt doubt) {
        return new NumberedRows(connection, unit.settings(), stored(column), doubt);
    }

    private static StoredNumbers stored(MappedProperty column) {
        return column.ids().conversion().stored();
    }

    private static IdConfigurationException uncounted(
            IdPlace place, StoredNumbers stored, KeyedNumbers numbers, long floor) {
        return new IdConfigurationException("Rows have numbers, but no key of their sequence is counted: table="
                + place.table() + " column=" + place.column() + ". Each key would begin at "
                + (floor == 0 ? "1 again" : floor + 1) + ". Tell how far the keys have come: INSERT INTO "
                + numbers.rowTable() + " (name, key_text, number) SELECT '" + place.sequence()
                + "', <key as text>, " + stored.largest(place.column()) + " FROM " + place.table()
                + stored.above(place.column(), floor)
                        .map(above -> " WHERE " + above)
                        .orElse("")
                + " GROUP BY <key>; or set distributedid.existing_ids=ignore");
    }

    /** Otherwise the sequence is new, or another one: its keys would begin at 1 again. */
    private void requireGiven(
            MappedProperty column, List<IdPlace> places, KeyedNumbers numbers, ConnectionAccess database) {
        Map<String, Long> found = new LinkedHashMap<>();
        inDatabase(database, connection -> found.putAll(numbered(column, places, numbers, connection)));
        String queries = places.stream()
                .map(place -> stored(column).queryOfLargest(place.column(), place.table()))
                .collect(Collectors.joining("; "));
        // The connection is free again: the numbers may be in the same database.
        new GivenNumbers(numbers::bound, numbers.timeout(), System::nanoTime)
                .require(
                        found,
                        () -> numbers.howToGoAbove() + ". Look for the largest number: " + queries,
                        reason -> ELSEWHERE.warn(places.get(0), stored(column), reason));
    }

    /** The keys of some rows, each with a number. If there are none, rows that sessions do not see may have some. */
    private Map<String, Long> numbered(
            MappedProperty column, List<IdPlace> places, KeyedNumbers numbers, StartConnection connection)
            throws SQLException {
        NumberedRows rows = rows(column, connection, ELSEWHERE);
        Optional<String> hindrance = NumberedKeys.hindrance(factory, unit.isReactive());
        if (hindrance.isEmpty()) {
            Optional<Map<String, Long>> found =
                    rows.read(places.get(0), () -> NumberedKeys.read(column, numbers, factory, connection.get()));
            if (found.isEmpty() || !found.get().isEmpty()) {
                return found.orElse(Map.of());
            }
        }
        for (IdPlace place : places) {
            if (rows.existAbove(place, 0)) {
                ELSEWHERE.warn(place, stored(column), hindrance.orElse(UNREAD));
            }
        }
        return Map.of();
    }
}
