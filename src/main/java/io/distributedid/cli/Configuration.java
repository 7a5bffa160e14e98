package io.distributedid.cli;

import io.distributedid.DistributedIdSettings;
import io.distributedid.DistributedIds;
import io.distributedid.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a command works with: the settings, and the drivers that were loaded for it.
 *
 * @param settings those of the persistence unit's own database included
 * @param drivers to be closed
 */
record Configuration(Map<String, Object> settings, DriverFiles drivers) implements AutoCloseable {

    /** With which nothing is created and nothing is raised. */
    Configuration readOnly() {
        Map<String, Object> safe = new LinkedHashMap<>(settings);
        safe.replaceAll((name, value) -> {
            if (!name.startsWith(DistributedIdSettings.PREFIX)) {
                return value;
            }
            return name.endsWith(".create_table") ? "false" : name.endsWith(".behind") ? "refuse" : value;
        });
        return new Configuration(safe, drivers);
    }

    Configuration with(Map<String, Object> others) {
        return new Configuration(others, drivers);
    }

    DistributedIds open() {
        DistributedIds.Builder builder =
                DistributedIds.builder().settings(settings).tokensComparedByCaller();
        OwnDatabase.of(settings).ifPresent(builder::ownDatabase);
        return builder.build();
    }

    /** Those that have settings of their own. */
    Set<String> sequences() {
        return Settings.of(settings).sequences();
    }

    /** Whether sequences need no settings of their own. */
    boolean hasBackend() {
        return Settings.of(settings).text(DistributedIdSettings.BACKEND).isPresent();
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(settings.get(name)).map(Object::toString);
    }

    @Override
    public void close() {
        drivers.close();
    }

    /** Without the settings, which hold secrets. */
    @Override
    public String toString() {
        return "settings of " + sequences();
    }
}
