package io.distributedid.hibernate.internal.schema;

import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.NumberedKeys;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.property.StoredNumbers;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.PlaceComparison;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.jspecify.annotations.Nullable;

/**
 * Checks a property with numbers per key at start: their table and record, and that no row has a number of a sequence
 * that would give it again, because it is new or another one. If the keys are counted in the application's database,
 * one that is counted is enough, or a floor above all numbers. Otherwise the keys of some rows are looked up. Rows are
 * read within a limit, see {@link NumberedRows}. With tenants, whose databases are unknown then, only the servers of
 * the settings.
 */
final class KeyedCheck {

    private static final String UNREAD = "sessions read no row with a key and a number: other rows are hidden, for"
            + " example by @SoftDelete or @SQLRestriction, or have no key";

    /** The filter of Hibernate that {@code @TenantId} defines. */
    private static final String TENANT_FILTER = "_tenantId";

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
        places = PlaceComparison.isIgnored(sequence, unit.settings())
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
        if (database.isPresent() && (isGapless || !places.isEmpty())) {
            requireGiven(StartConnection.read(
                    "numbers",
                    database.get(),
                    unit.settings(),
                    connection -> compared(new NumberedRows(connection, unit.settings(), stored))));
        }
    }

    /** Numbers of keys that are still to be compared, with their sequence elsewhere. */
    private Map<String, Long> compared(NumberedRows rows) throws SQLException {
        if (!numbers.isInApplication()) {
            return numbered(rows);
        }
        Connection connection = rows.connection().get();
        if (isGapless) {
            numbers.requireTable(connection);
        }
        for (IdPlace place : places) {
            requireCounted(rows, place, connection);
        }
        return Map.of();
    }

    /**
     * Otherwise the keys of these rows would begin at 1 again, or above a floor that is too low. If another process
     * inserts a row meanwhile, its number was counted before. So after a row is found, the counter is read again.
     */
    private void requireCounted(NumberedRows rows, IdPlace place, Connection connection) throws SQLException {
        OptionalLong floor = floorOfUncounted(connection);
        while (floor.isPresent() && rows.existAbove(place, floor.getAsLong())) {
            OptionalLong now = floorOfUncounted(connection);
            if (now.equals(floor)) {
                throw uncounted(place, rows.storedIn(place), floor.getAsLong());
            }
            floor = now;
        }
    }

    /** What all keys would begin above; empty if one is counted. */
    private OptionalLong floorOfUncounted(Connection connection) throws SQLException {
        if (numbers.isUsed(connection)) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(isGapless ? 0 : numbers.floor(connection));
    }

    private IdConfigurationException uncounted(IdPlace place, StoredNumbers found, long floor) {
        return new IdConfigurationException("Rows have numbers, but no key of their sequence is counted: table="
                + place.table() + " column=" + place.column() + ". Each key would begin at "
                + (floor == 0 ? "1 again" : floor + 1) + ". Store the last number of each key: INSERT INTO "
                + numbers.rowTable() + " (name, key_text, number) SELECT '" + place.sequence()
                + "', <key as text>, " + found.largest(place.column()) + " FROM " + place.table() + " WHERE "
                + found.above(place.column(), floor)
                + " GROUP BY <key>; or set distributedid.existing_ids=ignore");
    }

    /** The keys of some rows, each with a number. If there are none, rows that sessions do not see may have some. */
    private Map<String, Long> numbered(NumberedRows rows) throws SQLException {
        String hindrance = hindrance();
        if (hindrance == null) {
            Optional<Map<String, Long>> found = rows.read(
                    places.get(0),
                    () -> NumberedKeys.read(column, factory, rows.connection().get()));
            if (found.isEmpty() || !found.get().isEmpty()) {
                return found.orElse(Map.of());
            }
        }
        for (IdPlace place : places) {
            if (rows.existAbove(place, 0)) {
                NumberedRows.warn(place, stored, hindrance == null ? UNREAD : hindrance);
            }
        }
        return Map.of();
    }

    /** Why a start has no session that reads all rows; null if it has one. */
    private @Nullable String hindrance() {
        if (unit.isReactive()) {
            return "Hibernate Reactive has no session on a JDBC connection";
        }
        return factory.getSessionFactoryOptions().isMultiTenancyEnabled()
                        || factory.getDefinedFilterNames().contains(TENANT_FILTER)
                ? "each session needs a tenant"
                : null;
    }

    private void requireGiven(Map<String, Long> rows) {
        String queries = places.stream()
                .map(place -> stored.queryOfLargest(place.column(), place.table()))
                .collect(Collectors.joining("; "));
        requireGiven(
                rows,
                numbers::bound,
                numbers.timeout(),
                () -> numbers.howToGoAbove() + ". Look for the largest number: " + queries,
                reason -> NumberedRows.warn(places.get(0), stored, reason));
    }

    /**
     * Compares numbers of rows with those that their sequence has given. A sequence that is new, or another one than
     * before, has given none of them, so that one number that may have been given is enough. A key without an answer
     * says nothing about the next one: behind an issuing service, another server may have that.
     *
     * @param rows a number of some keys
     * @param bound a number that those of a key that were given do not exceed, looked up within a limit
     * @param limit of all lookups together, of which each key may take an equal part
     * @param advice what to do about numbers that were not given
     * @param unknown gets the reason if a key has no answer, but the number of another one was given
     */
    static void requireGiven(
            Map<String, Long> rows,
            ToLongBiFunction<String, Duration> bound,
            Duration limit,
            Supplier<String> advice,
            Consumer<String> unknown) {
        IdUnavailableException silence = null;
        String other = "";
        for (Map.Entry<String, Long> row : rows.entrySet()) {
            try {
                long most = bound.applyAsLong(row.getKey(), limit.dividedBy(rows.size()));
                if (most >= row.getValue()) {
                    if (silence != null) {
                        unknown.accept(String.valueOf(silence.getMessage()));
                    }
                    return;
                }
                other = "key=" + row.getKey() + " has number=" + row.getValue() + ", but none above " + most
                        + " was issued";
            } catch (IdUnavailableException e) {
                silence = silence == null ? e : silence;
            }
        }
        if (silence != null) {
            throw new IdUnavailableException(
                    "It is unknown whether the numbers of rows were issued by their sequence: " + silence.getMessage()
                            + ". To start without the comparison, set distributedid.existing_ids=ignore",
                    silence);
        }
        if (!other.isEmpty()) {
            throw new IdConfigurationException("Rows have numbers that their sequence has not issued: " + other
                    + ". They would be issued again. " + advice.get() + "; or set distributedid.existing_ids=ignore");
        }
    }
}
