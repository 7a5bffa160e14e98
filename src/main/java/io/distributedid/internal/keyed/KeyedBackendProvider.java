package io.distributedid.internal.keyed;

import io.distributedid.internal.jdbc.SqlErrors;
import io.distributedid.internal.keyed.owner.Sections;
import io.distributedid.internal.keyed.row.RowServers;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Sequence;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Makes {@link KeyedBackend}s. No setting names it: every configuration has numbers per key beside its ids. */
public final class KeyedBackendProvider implements BackendProvider {

    public static final KeyedBackendProvider INSTANCE = new KeyedBackendProvider();

    private KeyedBackendProvider() {}

    @Override
    public String name() {
        return "keyed";
    }

    @Override
    public Collection<Setting<?>> settings() {
        return KeyedSettings.ALL;
    }

    /** The setting with the servers that numbers per key are on; empty if they are on none. */
    public static Optional<Setting<?>> servers(Settings settings) {
        return switch (settings.get(KeyedSettings.BACKEND)) {
            case ROW -> Optional.of(KeyedSettings.SERVERS);
            case SECTION -> Optional.of(SectionSettings.STORE);
            case REMOTE -> Optional.empty();
        };
    }

    /** Whether the numbers lie in the application's database, because no setting names their place. */
    public static boolean isInApplication(Settings settings) {
        return servers(settings).filter(each -> settings.given(each).isEmpty()).isPresent();
    }

    /** Whether the table of rows on a server has one of a sequence: of a key, or its record. */
    public static boolean hasRow(Connection connection, Optional<String> namespace, Sequence sequence)
            throws SQLException {
        String table = sequence.settings().get(KeyedSettings.TABLE);
        String qualified = table.indexOf('.') >= 0
                ? table
                : namespace.map(name -> name + "." + table).orElse(table);
        try (PreparedStatement select =
                connection.prepareStatement("SELECT number FROM " + qualified + " WHERE name = ?")) {
            select.setMaxRows(1);
            select.setString(1, sequence.name());
            try (ResultSet row = select.executeQuery()) {
                return row.next();
            }
        } catch (SQLException e) {
            // Also on products whose rows the library can't read: they have none of it.
            if (SqlErrors.isRefusal(e) || DatabaseProduct.find(connection).isEmpty()) {
                return false;
            }
            throw e;
        }
    }

    /** The tables, if a setting of numbers per key is set. */
    @Override
    public List<SchemaObject> schema(Settings settings, SchemaTarget target) {
        return KeyedSettings.areGiven(settings) ? table(settings, target) : List.of();
    }

    /**
     * The tables, if there are any; empty for the application's database if the settings name another place. Sections
     * need the table of rows too, for its records.
     */
    public static List<SchemaObject> table(Settings settings, SchemaTarget target) {
        if (settings.get(KeyedSettings.BACKEND) == KeyedSettings.Place.REMOTE) {
            return List.of();
        }
        boolean isSection = settings.get(KeyedSettings.BACKEND) == KeyedSettings.Place.SECTION;
        if (isSection && SectionSettings.isInZooKeeper(settings)) {
            return List.of();
        }
        boolean isElsewhere = settings.given(isSection ? SectionSettings.STORE : KeyedSettings.SERVERS)
                .isPresent();
        if (target.isApplications() && isElsewhere) {
            return List.of();
        }
        SchemaObject rows = RowServers.schemaObject(target.product(), settings.get(KeyedSettings.TABLE));
        return isSection
                ? List.of(Sections.schemaObject(target.product(), settings.get(SectionSettings.TABLE)), rows)
                : List.of(rows);
    }

    @Override
    public Backend create(BackendContext context) {
        return new KeyedBackend(context);
    }
}
