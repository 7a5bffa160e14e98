package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Checks a property with numbers per key at start: their table and record, and that no row has a number of a sequence
 * that would give it again, because it is new or another one. If the keys are counted in the application's database,
 * one that is counted is enough, or a floor above all numbers. Otherwise the keys of some rows are looked up, see
 * {@link GivenNumbers}. Rows are read within a limit, see {@link NumberedRows}. With tenants, whose databases are
 * unknown then, only the servers of the settings.
 */
final class KeyedCheck {

    private static final Logger LOG = System.getLogger(KeyedCheck.class.getName());

    private static final NumberedRows.Doubt ELSEWHERE = new NumberedRows.Doubt(
            LOG, "whether the numbers of rows were given by their sequence", "Those that were not are given again");

    private static final String UNREAD = "the rows that sessions read show no key with a number: others are hidden, for"
            + " example by @SoftDelete or @SQLRestriction, or have no key";

    private final MappedProperty column;

    private final SessionFactoryImplementor factory;

    private final UnitIds unit;

    private final KeyedNumbers numbers;

    private final boolean isGapless;

    private final StoredNumbers stored;

    /** Those that are compared. */
    private final List<IdPlace> places;

    private KeyedCheck(MappedProperty column, Metadata metadata, SessionFactoryImplementor factory) {
        this.column = column;
        this.factory = factory;
        String sequence = column.ids().sequence();
        unit = UnitIds.of(factory);
        numbers = (KeyedNumbers) unit.ids().keyed(sequence);
        isGapless = column.perKey().map(PerKey::gapless).orElse(false);
        stored = column.ids().conversion().stored();
        places = PlaceCheck.isIgnored(sequence, unit.settings())
                ? List.of()
                : ExistingIdsCheck.places(metadata, List.of(column)).stream()
                        .map(place -> place.compared(factory))
                        .toList();
    }

    /** Checks what is not put off. */
    static void check(MappedProperty column, Metadata metadata, SessionFactoryImplementor factory) {
        try {
            new KeyedCheck(column, metadata, factory).check();
        } catch (IdConfigurationException e) {
            throw new IdConfigurationException(column.ids() + ": " + e.getMessage(), e);
        }
    }

    private void check() {
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
        if (numbers.isInApplication()) {
            inDatabase(database.get(), this::requireCounted);
        } else if (!places.isEmpty()) {
            requireGiven(inDatabase(database.get(), this::numbered));
        }
    }

    @FunctionalInterface
    private interface Work<T> {
        T with(StartConnection connection) throws SQLException;
    }

    private <T> T inDatabase(ConnectionAccess database, Work<T> work) {
        try {
            return LibraryThread.call(() -> {
                try (StartConnection connection = new StartConnection(database, unit.settings())) {
                    return work.with(connection);
                }
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
    private boolean requireCounted(StartConnection connection) throws SQLException {
        if (isGapless) {
            numbers.requireTable(connection.get());
        }
        for (IdPlace place : places) {
            OptionalLong floor = floorOfUncounted(connection);
            while (floor.isPresent() && rowsAbove(floor.getAsLong(), connection).existAbove(place, floor.getAsLong())) {
                OptionalLong now = floorOfUncounted(connection);
                if (now.equals(floor)) {
                    throw uncounted(place, rowsAbove(0, connection).stored(place), floor.getAsLong());
                }
                floor = now;
            }
        }
        return true;
    }

    /** What all keys would begin above; empty if one is counted. */
    private OptionalLong floorOfUncounted(StartConnection connection) throws SQLException {
        if (numbers.isUsed(connection.get())) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(isGapless ? 0 : numbers.floor(connection.get()));
    }

    private NumberedRows rowsAbove(long floor, StartConnection connection) {
        boolean isAny = floor == 0;
        return rows(
                connection,
                new NumberedRows.Doubt(
                        LOG,
                        "whether rows have numbers" + (isAny ? "" : " above the floor=" + floor),
                        "If one has, " + (isAny ? "each key begins at 1 again" : "it is given again")));
    }

    private NumberedRows rows(StartConnection connection, NumberedRows.Doubt doubt) {
        return new NumberedRows(connection, unit.settings(), stored, doubt);
    }

    private IdConfigurationException uncounted(IdPlace place, StoredNumbers found, long floor) {
        return new IdConfigurationException("Rows have numbers, but no key of their sequence is counted: table="
                + place.table() + " column=" + place.column() + ". Each key would begin at "
                + (floor == 0 ? "1 again" : floor + 1) + ". Tell how far the keys have come: INSERT INTO "
                + numbers.rowTable() + " (name, key_text, number) SELECT '" + place.sequence()
                + "', <key as text>, " + found.largest(place.column()) + " FROM " + place.table() + " WHERE "
                + found.above(place.column(), floor)
                + " GROUP BY <key>; or set distributedid.existing_ids=ignore");
    }

    /** The keys of some rows, each with a number. If there are none, rows that sessions do not see may have some. */
    private Map<String, Long> numbered(StartConnection connection) throws SQLException {
        NumberedRows rows = rows(connection, ELSEWHERE);
        Optional<String> hindrance = NumberedKeys.hindrance(factory, unit.isReactive());
        if (hindrance.isEmpty()) {
            Optional<Map<String, Long>> found =
                    rows.read(places.get(0), () -> NumberedKeys.read(column, factory, connection.get()));
            if (found.isEmpty() || !found.get().isEmpty()) {
                return found.orElse(Map.of());
            }
        }
        for (IdPlace place : places) {
            if (rows.existAbove(place, 0)) {
                ELSEWHERE.warn(place, stored, hindrance.orElse(UNREAD));
            }
        }
        return Map.of();
    }

    /** Otherwise the sequence is new, or another one: its keys would begin at 1 again. */
    private void requireGiven(Map<String, Long> rows) {
        String queries = places.stream()
                .map(place -> stored.queryOfLargest(place.column(), place.table()))
                .collect(Collectors.joining("; "));
        new GivenNumbers(numbers::bound, numbers.timeout(), System::nanoTime)
                .require(
                        rows,
                        () -> numbers.howToGoAbove() + ". Look for the largest number: " + queries,
                        reason -> ELSEWHERE.warn(places.get(0), stored, reason));
    }
}
