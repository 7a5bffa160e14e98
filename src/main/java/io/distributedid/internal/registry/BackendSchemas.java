package io.distributedid.internal.registry;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.keyed.KeyedBackendProvider;
import io.distributedid.internal.keyed.KeyedSettings;
import io.distributedid.internal.ledger.LedgerSql;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.DatabaseProduct;
import io.distributedid.spi.SchemaObject;
import io.distributedid.spi.SchemaTarget;
import io.distributedid.spi.Settings;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Lists the tables and functions that the configured backends need, and that of numbers per key if one of their
 * settings is set. Opens no sequence.
 */
public final class BackendSchemas {

    private final Settings settings;

    private final InstalledBackends backends = InstalledBackends.installed();

    public BackendSchemas(Settings settings) {
        this.settings = settings;
    }

    /**
     * The distinct objects on the servers of the backends. Throws if a setting is wrong or missing; without a backend,
     * those of numbers per key alone.
     */
    public List<SchemaObject> onServers(DatabaseProduct product) {
        SchemaTarget target = SchemaTarget.server(product);
        boolean isKeyed = settings.views().anyMatch(KeyedSettings::areGiven);
        return distinct(settings.views()
                .flatMap(each -> Stream.concat(
                        isKeyed && each.given(CoreSettings.BACKEND).isEmpty()
                                ? Stream.empty()
                                : backends.named(each, "DDL").schema(each, target).stream(),
                        KeyedBackendProvider.INSTANCE.schema(each, target).stream())));
    }

    /**
     * The distinct objects in the application's database: what the backends need there, and the ledger that remembers
     * the places of sequences, which may be that of counters. An unknown backend is ignored here: opening the sequence
     * fails later, with the names of entity and property.
     *
     * @param keyed sequences with numbers per key
     * @throws IdConfigurationException if two different objects have the same name
     */
    public List<SchemaObject> ofApplication(SchemaTarget target, Set<String> keyed) {
        Stream<SchemaObject> ofSettings = settings.views()
                .flatMap(each -> Stream.concat(backends.find(each).stream(), Stream.of(KeyedBackendProvider.INSTANCE))
                        .flatMap(provider -> provider.schema(each, target).stream()));
        Stream<SchemaObject> ofEntities =
                keyed.stream().flatMap(each -> KeyedBackendProvider.table(settings.forSequence(each), target).stream());
        List<SchemaObject> objects = new ArrayList<>(distinct(Stream.concat(ofSettings, ofEntities)));
        SchemaObject ledger = new LedgerSql(target.product(), LedgerSql.NAME).schemaObject();
        if (haveToken() && objects.stream().noneMatch(each -> each.name().equals(ledger.name()))) {
            objects.add(ledger);
        }
        Set<String> names = new HashSet<>();
        for (SchemaObject object : objects) {
            if (!names.add(object.name())) {
                throw new IdConfigurationException("Two sequences must not need tables or functions with the same name"
                        + " and different definitions: name=" + object.name() + ". Give one of them another name: "
                        + object.createSql());
            }
        }
        return objects;
    }

    /** Whether any sequence has a token, which the application's database stores. See {@link TokenCheck}. */
    private boolean haveToken() {
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
