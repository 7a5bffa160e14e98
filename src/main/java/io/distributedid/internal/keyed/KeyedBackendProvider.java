package io.distributedid.internal.keyed;

import io.distributedid.internal.keyed.row.KeyedRows;
import io.distributedid.internal.keyed.served.Sections;
import io.distributedid.spi.Backend;
import io.distributedid.spi.BackendContext;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
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

    /** The setting with the database that numbers per key are in; empty if they are in none. */
    public static Optional<Setting<?>> servers(Settings settings) {
        return switch (settings.get(KeyedSettings.BACKEND)) {
            case ROW -> Optional.of(KeyedSettings.SERVER);
            case SECTION -> Optional.of(SectionSettings.STORE);
            case REMOTE -> Optional.empty();
        };
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
        boolean isElsewhere = settings.given(isSection ? SectionSettings.STORE : KeyedSettings.SERVER)
                .isPresent();
        if (target.isApplications() && isElsewhere) {
            return List.of();
        }
        SchemaObject rows = KeyedRows.schemaObject(target.product(), settings.get(KeyedSettings.TABLE));
        return isSection
                ? List.of(Sections.schemaObject(target.product(), settings.get(SectionSettings.TABLE)), rows)
                : List.of(rows);
    }

    @Override
    public Backend create(BackendContext context) {
        return new KeyedBackend(context);
    }
}
