package io.distributedid.internal.registry;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.InstanceFactory;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** The backends: those that {@link ServiceLoader} finds by name, and those that a setting names by class. */
public final class InstalledBackends {

    private static final Set<String> SHARED_SETTINGS = Set.of(
            DistributedIdSettings.BACKEND,
            DistributedIdSettings.EXISTING_IDS,
            DistributedIdSettings.SHARD_FROM,
            DistributedIdSettings.SHARD_COUNT,
            DistributedIdSettings.SHARD_PATTERN,
            DistributedIdSettings.SHARD_RESOLVER,
            DistributedIdSettings.BLOCK_MIN,
            DistributedIdSettings.BLOCK_MAX,
            DistributedIdSettings.BLOCK_MAX_AGE,
            DistributedIdSettings.BLOCK_TIMEOUT);

    private final Map<String, BackendProvider> byName;

    private final Map<String, BackendProvider> byClass = new ConcurrentHashMap<>();

    private InstalledBackends(Map<String, BackendProvider> byName) {
        this.byName = byName;
    }

    /** Searches the thread's context class loader and this class's loader; the latter wins if both have a name. */
    static InstalledBackends installed() {
        Map<String, BackendProvider> found = new TreeMap<>();
        ServiceLoader.load(BackendProvider.class).forEach(provider -> found.put(provider.name(), provider));
        ServiceLoader.load(BackendProvider.class, InstalledBackends.class.getClassLoader())
                .forEach(provider -> found.put(provider.name(), provider));
        return new InstalledBackends(found);
    }

    /** The full names of the settings that the registry and the installed backends read. */
    public static Set<String> settingNames() {
        return settingNames(installed().byName.values());
    }

    private static Set<String> settingNames(Collection<BackendProvider> backends) {
        Set<String> names = new TreeSet<>(SHARED_SETTINGS);
        backends.forEach(backend -> names.addAll(backend.settings()));
        return names;
    }

    /** Throws if a setting is unknown: neither the registry nor an installed or configured backend reads it. */
    void checkNames(Settings settings) {
        Set<BackendProvider> backends = new HashSet<>(byName.values());
        settings.asMap().keySet().stream()
                .filter(key -> key.equals(DistributedIdSettings.BACKEND)
                        || (key.startsWith(DistributedIdSettings.SEQUENCE_PREFIX) && key.endsWith(".backend")))
                .map(key -> named(settings, key, "the settings"))
                .forEach(backends::add);
        SettingNames.check(settings, settingNames(backends));
    }

    /** Empty if the settings name no backend or an unknown one: opening the sequence fails later. */
    Optional<BackendProvider> find(Settings settings) {
        try {
            return settings.text(DistributedIdSettings.BACKEND).map(name -> named(settings, "find"));
        } catch (IdConfigurationException e) {
            return Optional.empty();
        }
    }

    BackendProvider named(Settings settings, String usedBy) {
        return named(settings, DistributedIdSettings.BACKEND, usedBy);
    }

    BackendProvider named(Settings settings, String setting, String usedBy) {
        String allowed = String.join(", ", byName.keySet()) + ", or the class name of a BackendProvider";
        String name = settings.text(setting)
                .orElseThrow(() -> new IdConfigurationException("A setting is missing: " + setting + ", allowed: "
                        + allowed + ". It says where ids come from (" + usedBy + ")"));
        BackendProvider provider = byName.get(name);
        if (provider != null) {
            return provider;
        }
        if (name.indexOf('.') < 0) {
            throw settings.invalid(setting, name, allowed);
        }
        return byClass.computeIfAbsent(
                name, className -> InstanceFactory.named(settings, setting, className, BackendProvider.class, allowed));
    }
}
