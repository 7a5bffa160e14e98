package io.distributedid.internal.service;

import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.internal.jdbc.ServerSettingParser;
import io.distributedid.internal.settings.CoreSettings;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The settings by which a client reaches an issuing service.
 *
 * @param servers their addresses
 * @param token that they ask for
 * @param trust the file with the certificates that sign theirs
 */
public record ServiceSettings(Setting<List<String>> servers, Setting<String> token, Setting<String> trust) {

    /** What may be written for servers. */
    public static final String ADDRESSES = "http or https addresses without path, separated by commas, as in"
            + " https://ids1:8443, https://ids2:8443";

    /** What may be written for trust. */
    public static final String CERTIFICATES = "the path of a PEM file with certificates";

    private static final Logger LOG = System.getLogger(ServiceSettings.class.getName());

    /** As RFC 6750 writes it. */
    private static final Pattern TOKEN_FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    /**
     * An issuing service as it is set. Clients with equal ones share their connections.
     *
     * @param timeout of one request
     */
    public record Service(List<URI> servers, Optional<String> token, Optional<String> trust, Duration timeout) {

        public Service {
            servers = List.copyOf(servers);
        }

        /** Without the token. */
        @Override
        public String toString() {
            return servers.toString();
        }
    }

    /** All of them, and those that the service is read from beside. */
    public List<Setting<?>> all() {
        return List.of(servers, token, trust, CoreSettings.TIMEOUT);
    }

    /**
     * Reads them.
     *
     * @param why the servers must be set
     * @throws io.distributedid.IdConfigurationException if one is missing or not allowed
     */
    public Service read(Settings settings, String why) {
        List<URI> addresses = new ArrayList<>();
        for (String text : settings.require(servers, why)) {
            URI server = ServiceAddress.parse(text)
                    .orElseThrow(() -> settings.invalid(
                            servers,
                            JdbcUrl.label(text),
                            servers.allowed() + (text.isEmpty() ? ServerSettingParser.LAST_COMMA : "")));
            if (addresses.contains(server)) {
                throw settings.invalid(servers, server + " twice", "every server once");
            }
            addresses.add(server);
        }
        if (addresses.isEmpty()) {
            throw settings.missing(servers, why);
        }
        Optional<String> bearer = settings.find(token);
        if (bearer.isPresent() && !TOKEN_FORM.matcher(bearer.get()).matches()) {
            throw settings.invalid(
                    token, bearer.get(), "letters, digits and any of . _ ~ + / -, then '='; no spaces, no line break");
        }
        return new Service(addresses, bearer, settings.find(trust), settings.get(CoreSettings.TIMEOUT));
    }

    /**
     * Reads the certificates. Does not connect to any server.
     *
     * @param user for the names of threads
     * @throws io.distributedid.IdConfigurationException if the certificates can't be read
     */
    HttpCalls open(Service service, String user) throws InterruptedException {
        HttpCalls calls = new HttpCalls(user, service.trust.map(file -> Trust.in(trust, file)), service.timeout);
        warnOfPlainToken(service);
        return calls;
    }

    private void warnOfPlainToken(Service service) {
        service.servers.stream()
                .filter(server ->
                        service.token.isPresent() && server.getScheme().equals("http"))
                .filter(server -> !Set.of("localhost", "127.0.0.1", "[::1]").contains(server.getHost()))
                .findFirst()
                .ifPresent(server -> LOG.log(
                        Level.WARNING,
                        "A token is sent without encryption, so others can read it: server=" + server
                                + ". Use https in " + servers));
    }
}
