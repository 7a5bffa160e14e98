package io.distributedid.internal.registry;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The tables and functions that the configured backends need. Opens nothing. */
public final class BackendSchemas {

    private final Settings settings;

    private final InstalledBackends backends = InstalledBackends.installed();

    public BackendSchemas(Settings settings) {
        this.settings = settings;
    }

    /**
     * Those on the servers of the backends, each once.
     *
     * @throws IdConfigurationException if a setting is wrong or missing, or the database can't hold them
     */
    public List<SchemaObject> onServers(DatabaseProduct product) {
        SchemaTarget target = SchemaTarget.server(product);
        return distinct(settings.views().flatMap(each -> backends.named(each, "DDL").schema(each, target).stream()));
    }

    /**
     * Those in the application's own database, each once; two that differ may have the same name. A backend that does
     * not exist has none: the error comes when a sequence is opened, with the names of entity and property.
     *
     * @throws IdConfigurationException if a setting is wrong
     */
    public List<SchemaObject> ofApplication(SchemaTarget target) {
        return distinct(settings.views()
                .flatMap(each ->
                        backends.find(each).stream().flatMap(provider -> provider.schema(each, target).stream())));
    }

    /** Whether the application's database must remember where the ids of any sequence come from. */
    public boolean haveToken() {
        return settings.views()
                .anyMatch(each -> backends.find(each)
                        .filter(provider -> provider.hasToken(each))
                        .isPresent());
    }

    private static List<SchemaObject> distinct(Stream<SchemaObject> all) {
        Map<String, SchemaObject> objects = new LinkedHashMap<>();
        all.forEach(object -> objects.putIfAbsent(object.createSql(), object));
        return List.copyOf(objects.values());
    }
}
