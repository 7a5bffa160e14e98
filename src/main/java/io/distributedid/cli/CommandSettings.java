package io.distributedid.cli;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.internal.jdbc.PersistenceProperties;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The settings that a command works with.
 *
 * @param values by their full names, those of the persistence unit's own database included
 */
record CommandSettings(Map<String, Object> values) {

    /** Creates nothing and raises nothing. */
    CommandSettings readOnly() {
        Map<String, Object> safe = new LinkedHashMap<>(values);
        safe.replaceAll((name, value) -> {
            if (!name.startsWith(DistributedIdSettings.PREFIX)) {
                return value;
            }
            return name.endsWith(".create_table") ? "false" : name.endsWith(".behind") ? "refuse" : value;
        });
        return new CommandSettings(safe);
    }

    DistributedIds open() {
        DistributedIds.Builder builder =
                DistributedIds.builder().settings(values).tokensComparedByCaller();
        new PersistenceProperties(values).database().ifPresent(builder::applicationDatabase);
        return builder.build();
    }

    /** Those that have settings of their own. */
    Set<String> sequences() {
        return Settings.of(values).sequences();
    }

    /** Whether sequences need no settings of their own. */
    boolean hasBackend() {
        return Settings.of(values).find(CoreSettings.BACKEND).isPresent();
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(Object::toString);
    }

    /** Without the settings, which hold secrets. */
    @Override
    public String toString() {
        return "settings of " + sequences();
    }
}
