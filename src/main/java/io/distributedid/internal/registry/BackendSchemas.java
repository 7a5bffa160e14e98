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

/** What the configured backends need in databases. Opens nothing. */
public final class BackendSchemas {

    private final Settings settings;

    private final BackendProviders providers = BackendProviders.installed();

    /**
     * Of all sequences.
     *
     * @param settings for all sequences
     */
    public BackendSchemas(Settings settings) {
        this.settings = settings;
    }

    /**
     * The tables and functions in a server of the backends.
     *
     * @param product whose SQL is wanted
     * @return each once
     * @throws IdConfigurationException if a setting is wrong or missing, or the database can't hold them
     */
    public List<SchemaObject> onServers(DatabaseProduct product) {
        SchemaTarget target = SchemaTarget.server(product);
        return distinct(views().flatMap(each -> providers.named(each, "DDL").schema(each, target).stream()));
    }

    /**
     * The tables and functions in the application's own database. A backend that does not exist has none: whoever opens its sequences
     * is told, with the names of entity and property.
     *
     * @param target that database
     * @return each once; two of one name if they differ
     * @throws IdConfigurationException if a setting is wrong
     */
    public List<SchemaObject> ofApplication(SchemaTarget target) {
        return distinct(views().flatMap(each ->
                providers.find(each).stream().flatMap(provider -> provider.schema(each, target).stream())));
    }

    /**
     * Whether the application's database remembers where ids come from.
     *
     * @return true if a backend says so of any sequence
     */
    public boolean haveToken() {
        return views().anyMatch(each ->
                providers.find(each).filter(provider -> provider.hasToken(each)).isPresent());
    }

    /** The settings of all sequences, and of each that has settings of its own. */
    private Stream<Settings> views() {
        return Stream.concat(Stream.of(settings), settings.sequences().stream().map(settings::forSequence));
    }

    private static List<SchemaObject> distinct(Stream<SchemaObject> all) {
        Map<String, SchemaObject> objects = new LinkedHashMap<>();
        all.forEach(object -> objects.putIfAbsent(object.createSql(), object));
        return List.copyOf(objects.values());
    }
}
