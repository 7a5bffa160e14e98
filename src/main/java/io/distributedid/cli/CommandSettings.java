package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The settings of a command.
 *
 * @param values by their full names, including those of the persistence unit's own database
 */
public record CommandSettings(Map<String, Object> values) {

    /** Returns a copy with which a command creates and raises nothing. */
    CommandSettings readOnly() {
        Map<String, Object> safe = new LinkedHashMap<>(values);
        safe.replaceAll(
                (name, value) -> name.startsWith(Setting.PREFIX) && name.endsWith(".create_tables") ? "false" : value);
        return new CommandSettings(safe);
    }

    /**
     * Opens the ids, as the service does or to look at them. Their callers compare tokens: a command has no database of
     * entities.
     */
    public DistributedIds open() {
        if (values.isEmpty()) {
            throw new IdConfigurationException("No settings were given: name the application's settings file with"
                    + " --config FILE, or give single settings with -D NAME=VALUE");
        }
        DistributedIds.Builder builder = DistributedIds.builder()
                .settings(values)
                .tokensComparedByCaller()
                .asService();
        new PersistenceProperties(values).database().ifPresent(builder::applicationDatabase);
        return builder.build();
    }

    Settings settings() {
        return Settings.of(values);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(Object::toString);
    }

    /** Omits the values, which hold secrets. */
    @Override
    public String toString() {
        return "settings of " + settings().sequences();
    }
}
