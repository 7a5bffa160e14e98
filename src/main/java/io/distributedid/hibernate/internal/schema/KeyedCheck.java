package io.distributedid.hibernate.internal.schema;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdUnavailableException;
import io.distributedid.hibernate.internal.UnitIds;
import io.distributedid.hibernate.internal.generate.KeyedValues;
import io.distributedid.hibernate.internal.mapping.MappedProperty;
import io.distributedid.internal.keyed.KeyedNumbers;
import io.distributedid.internal.process.LibraryThread;
import io.distributedid.internal.property.PerKey;
import io.distributedid.internal.start.IdPlace;
import io.distributedid.internal.start.NumberedRows;
import io.distributedid.internal.start.PlaceCheck;
import io.distributedid.internal.start.StartConnection;
import io.distributedid.spi.ConnectionAccess;
import java.lang.System.Logger;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import org.hibernate.boot.Metadata;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * Checks numbers per key at start: their table and record, and that no row has a number of a sequence whose keys are
 * not counted yet. With tenants, whose databases are unknown then, only the servers of the settings.
 */
final class KeyedCheck {

    private static final Logger LOG = System.getLogger(KeyedCheck.class.getName());

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
        if (!isGapless) {
            numbers.requireServers();
        }
        Optional<ConnectionAccess> database = unit.database();
        if (database.isPresent() && numbers.isInApplication()) {
            inDatabase(database.get(), connection -> {
                if (isGapless) {
                    numbers.requireTable(connection.get());
                }
                if (!PlaceCheck.isIgnored(column.ids().sequence(), unit.settings())
                        && !numbers.isUsed(connection.get())) {
                    requireNoRows(column, metadata, connection, numbers);
                }
            });
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

    /** Otherwise the keys of these rows would begin at 1 again. */
    private void requireNoRows(
            MappedProperty column, Metadata metadata, StartConnection connection, KeyedNumbers numbers)
            throws SQLException {
        NumberedRows rows = new NumberedRows(connection, unit.settings(), LOG);
        for (ExistingIdsCheck.Place each : ExistingIdsCheck.places(metadata, List.of(column))) {
            IdPlace place = each.compared(factory);
            String table = place.table();
            String number = place.column();
            if (rows.exist(place)) {
                throw new IdConfigurationException("Rows have numbers, but no key of their sequence is counted: table="
                        + table + " column=" + number + ". Each key would begin at 1 again. Tell how far the keys have"
                        + " come: INSERT INTO " + numbers.rowTable() + " (name, key_text, number) SELECT '"
                        + column.ids().sequence() + "', <key as text>, MAX(" + number + ") FROM " + table
                        + " GROUP BY <key>; or set " + DistributedIdSettings.EXISTING_IDS + "=ignore");
            }
        }
    }
}
