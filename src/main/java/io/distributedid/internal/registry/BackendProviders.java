package io.distributedid.internal.registry;

import io.distributedid.DistributedIdSettings;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.settings.Instances;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The backends to choose from: those that {@link ServiceLoader} finds, and those named by their class. */
final class BackendProviders {

    private final Map<String, BackendProvider> byName;

    private final Map<String, BackendProvider> byClass = new ConcurrentHashMap<>();

    private BackendProviders(Map<String, BackendProvider> byName) {
        this.byName = byName;
    }

    /** Looks where this class is, and where the thread's context class loader leads, in this order. */
    static BackendProviders installed() {
        Map<String, BackendProvider> found = new TreeMap<>();
        ServiceLoader.load(BackendProvider.class).forEach(provider -> found.put(provider.name(), provider));
        ServiceLoader.load(BackendProvider.class, BackendProviders.class.getClassLoader())
                .forEach(provider -> found.put(provider.name(), provider));
        return new BackendProviders(found);
    }

    Collection<BackendProvider> all() {
        return byName.values();
    }

    /** Empty if no backend is named, or none that there is: whoever opens a sequence is told. */
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
                name, className -> Instances.named(settings, setting, className, BackendProvider.class, allowed));
    }
}
