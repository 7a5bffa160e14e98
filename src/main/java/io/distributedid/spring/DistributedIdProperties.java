package io.distributedid.spring;

import io.distributedid.internal.registry.InstalledBackends;
import io.distributedid.internal.settings.Configuration;
import io.distributedid.spi.Settings;
import java.util.Collections;
import java.util.Map;
import org.springframework.boot.context.properties.ConfigurationProperties;

/**
 * What {@code /actuator/configprops} shows: the settings in Spring's environment, and the defaults of the others that
 * the backends in use read. Users, passwords and what a URL holds of them are masked here already, whatever the
 * endpoint is configured to show. {@link EnvironmentSettings} reads the settings, and nothing is bound to this bean.
 * Immutable.
 */
@ConfigurationProperties("distributedid")
public final class DistributedIdProperties {

    private final Map<String, String> settings;

    private final Map<String, String> defaults;

    DistributedIdProperties(Map<String, Object> environment) {
        Configuration configuration = InstalledBackends.installed().configuration(Settings.of(environment));
        settings = configuration.shown();
        defaults = configuration.defaults();
    }

    /**
     * Returns the settings.
     *
     * @return by their names without {@code distributedid.}
     */
    public Map<String, String> getSettings() {
        return Collections.unmodifiableMap(settings);
    }

    /**
     * Returns the defaults of settings that are not set.
     *
     * @return by their names without {@code distributedid.}
     */
    public Map<String, String> getDefaults() {
        return Collections.unmodifiableMap(defaults);
    }
}
