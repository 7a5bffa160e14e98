package io.distributedid.internal.registry;

import io.distributedid.IdConfigurationException;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.keyed.KeyedBackendProvider;
import io.distributedid.internal.settings.Configuration;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.internal.settings.InstanceFactory;
import io.distributedid.internal.settings.SettingNames;
import io.distributedid.spi.BackendProvider;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The backends: those that {@link ServiceLoader} finds by name, and those that a setting names by class. */
public final class InstalledBackends {

    private final Map<String, BackendProvider> byName;

    private final Map<String, BackendProvider> byClass = new ConcurrentHashMap<>();

    private InstalledBackends(Map<String, BackendProvider> byName) {
        this.byName = byName;
    }

    /** Searches the thread's context class loader and this class's loader; the latter wins if both have a name. */
    public static InstalledBackends installed() {
        Map<String, BackendProvider> found = new TreeMap<>();
        ServiceLoader.load(BackendProvider.class).forEach(provider -> found.put(provider.name(), provider));
        ServiceLoader.load(BackendProvider.class, InstalledBackends.class.getClassLoader())
                .forEach(provider -> found.put(provider.name(), provider));
        return new InstalledBackends(found);
    }

    /** All settings that the registry or an installed backend reads. */
    public static List<Setting<?>> declarations() {
        return declarations(installed().byName.values()).toList();
    }

    private static Stream<Setting<?>> declarations(Collection<BackendProvider> backends) {
        return Stream.concat(
                        Stream.concat(CoreSettings.ALL.stream(), KeyedBackendProvider.INSTANCE.settings().stream()),
                        backends.stream().flatMap(backend -> backend.settings().stream()))
                .distinct();
    }

    /** The names of all installed backends. */
    public static Set<String> backendNames() {
        return Set.copyOf(installed().byName.keySet());
    }

    /** Throws if a setting is unknown: neither the registry nor an installed or configured backend reads it. */
    void checkNames(Settings settings) {
        Set<String> written = settings.asMap().keySet();
        settings.views()
                .filter(each -> written.contains(each.writtenAs(CoreSettings.BACKEND)))
                .forEach(each -> named(each, "the settings"));
        SettingNames.check(written, known(settings).stream().map(Setting::name).collect(Collectors.toSet()));
    }

    /** All settings that the registry, an installed backend or one that the settings name by class reads. */
    public List<Setting<?>> known(Settings settings) {
        return Stream.concat(
                        declarations(byName.values()), settings.views().flatMap(each -> declarations(each).stream()))
                .toList();
    }

    /** For the log. */
    public Configuration configuration(Settings settings) {
        return new Configuration(settings, known(settings), this::declarations);
    }

    /**
     * The same settings with databases in place of JNDI names. In an application server such a name may have a meaning
     * on threads of the application only, and sequences are also opened by other threads. A name that is not found
     * stays, and is an error when a sequence needs it.
     */
    Settings lookedUp(Settings settings) {
        Set<String> servers = known(settings).stream()
                .filter(each -> each.kind() == Setting.Kind.SERVERS)
                .map(Setting::name)
                .collect(Collectors.toSet());
        Map<String, Object> all = new HashMap<>(settings.asMap());
        all.replaceAll((name, value) ->
                servers.contains(SettingNames.general(name)) ? ServerSettingParser.lookedUp(name, value) : value);
        return Settings.of(all);
    }

    /** The settings that the backend of a sequence reads; none if there is no such backend. */
    public Collection<Setting<?>> declarations(Settings settings) {
        return find(settings).map(BackendProvider::settings).orElse(List.of());
    }

    /** The setting with the servers that numbers per key are on; empty if they are on none. */
    public static Optional<Setting<?>> keyedServers(Settings settings) {
        return KeyedBackendProvider.servers(settings);
    }

    /** Empty if the settings name no backend or an unknown one: opening the sequence fails later. */
    Optional<BackendProvider> find(Settings settings) {
        try {
            return settings.find(CoreSettings.BACKEND).map(name -> named(settings, "find"));
        } catch (IdConfigurationException e) {
            return Optional.empty();
        }
    }

    BackendProvider named(Settings settings, String usedBy) {
        Setting<String> setting = CoreSettings.BACKEND.allowing(
                String.join(", ", byName.keySet()) + ", or the class name of a BackendProvider");
        String name = settings.require(
                setting,
                "It says where ids come from (" + usedBy + "). Tests need no server with " + setting.name()
                        + "=memory");
        BackendProvider provider = byName.get(name);
        if (provider != null) {
            return provider;
        }
        if (name.indexOf('.') < 0) {
            throw settings.invalid(setting, name, setting.allowed());
        }
        return byClass.computeIfAbsent(
                name, className -> InstanceFactory.named(settings, setting, className, BackendProvider.class));
    }
}
