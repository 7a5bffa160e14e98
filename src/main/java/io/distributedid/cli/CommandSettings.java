package io.distributedid.cli;

import io.distributedid.DistributedIds;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.PersistenceProperties;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

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
        DistributedIds.Builder builder = DistributedIds.builder()
                .settings(values)
                .tokensComparedByCaller()
                .asService();
        new PersistenceProperties(values).database().ifPresent(builder::applicationDatabase);
        return builder.build();
    }

    /** The sequences with settings of their own. */
    Set<String> sequences() {
        return Settings.of(values).sequences();
    }

    /** Whether a sequence without settings of its own has a backend. */
    boolean hasBackend() {
        return Settings.of(values).find(CoreSettings.BACKEND).isPresent();
    }

    /** Where the ids of a sequence come from; empty if no setting says it. */
    Optional<String> backend(String sequence) {
        return Settings.of(values).forSequence(sequence).find(CoreSettings.BACKEND);
    }

    Optional<String> text(String name) {
        return Optional.ofNullable(values.get(name)).map(Object::toString);
    }

    /** Omits the values, which hold secrets. */
    @Override
    public String toString() {
        return "settings of " + sequences();
    }
}
