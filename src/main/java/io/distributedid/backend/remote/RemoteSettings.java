package io.distributedid.backend.remote;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** The settings of the client of an issuing service. */
final class RemoteSettings {

    static final ServiceSettings SERVICE = ServiceSettings.named(
            "distributedid.remote.servers",
            "distributedid.remote.token",
            "distributedid.remote.trust");

    static final Setting<List<String>> SERVERS = SERVICE.servers();

    static final Setting<String> TOKEN = SERVICE.token();

    static final Setting<Duration> TIMEOUT =
            Setting.duration("distributedid.timeout", ofSeconds(2), ofMillis(100), ofMinutes(1));

    static final List<Setting<?>> ALL = List.of(SERVERS, TOKEN, SERVICE.trust(), TIMEOUT);

    private RemoteSettings() {}

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(ServiceSettings.Service service, Duration timeout) {

        List<URI> servers() {
            return service.servers();
        }
    }

    /**
     * Reads them.
     *
     * @throws io.distributedid.IdConfigurationException if one is missing or not allowed
     */
    static Values read(Settings settings) {
        return new Values(
                SERVICE.read(settings, "The backend remote needs the servers of an issuing service"),
                settings.get(TIMEOUT));
    }
}
