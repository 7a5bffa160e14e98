package io.distributedid.backend.remote;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import io.distributedid.DistributedIdSettings;
import io.distributedid.internal.jdbc.JdbcUrl;
import io.distributedid.spi.Setting;
import io.distributedid.spi.Settings;
import java.net.URI;
import java.net.URISyntaxException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/** The settings of the client of an issuing service. */
final class RemoteSettings {

    static final Setting<List<String>> SERVERS = Setting.list(
            DistributedIdSettings.REMOTE_SERVERS,
            "http or https addresses without path, separated by commas, as in https://ids1:8443, https://ids2:8443");

    static final Setting<String> TOKEN = Setting.password(DistributedIdSettings.REMOTE_TOKEN);

    static final Setting<String> TRUST =
            Setting.text(DistributedIdSettings.REMOTE_TRUST, "the path of a PEM file with certificates");

    static final Setting<Duration> TIMEOUT =
            Setting.duration(DistributedIdSettings.REMOTE_TIMEOUT, ofSeconds(2), ofMillis(100), ofMinutes(1));

    static final List<Setting<?>> ALL = List.of(SERVERS, TOKEN, TRUST, TIMEOUT);

    private static final String NO_SERVERS = "The backend remote needs the servers of an issuing service";

    /** As RFC 6750 writes it. */
    private static final Pattern TOKEN_FORM = Pattern.compile("[A-Za-z0-9._~+/-]+=*");

    private RemoteSettings() {}

    /** Everything that connections depend on. Sequences with equal values share their servers. */
    record Values(List<URI> servers, Optional<String> token, Optional<String> trust, Duration timeout) {

        /** Without the token. */
        @Override
        public String toString() {
            return servers.toString();
        }
    }

    /**
     * Reads them.
     *
     * @throws io.distributedid.IdConfigurationException if one is missing or not allowed
     */
    static Values read(Settings settings) {
        List<URI> servers = new ArrayList<>();
        for (String text : settings.require(SERVERS, NO_SERVERS)) {
            URI server =
                    address(text).orElseThrow(() -> settings.invalid(SERVERS, JdbcUrl.label(text), SERVERS.allowed()));
            if (servers.contains(server)) {
                throw settings.invalid(SERVERS, server + " twice", "every server once");
            }
            servers.add(server);
        }
        if (servers.isEmpty()) {
            throw settings.missing(SERVERS, NO_SERVERS);
        }
        Optional<String> token = settings.find(TOKEN);
        if (token.isPresent() && !TOKEN_FORM.matcher(token.get()).matches()) {
            throw settings.invalid(
                    TOKEN, "***", "letters, digits and any of . _ ~ + / -, then '='; no spaces, no line break");
        }
        return new Values(List.copyOf(servers), token, settings.find(TRUST), settings.get(TIMEOUT));
    }

    /** The address of a server, in the one form that equal addresses have; empty if it is none. */
    static Optional<URI> address(String text) {
        try {
            URI uri = new URI(text);
            String scheme = uri.getScheme() == null ? "" : uri.getScheme().toLowerCase(Locale.ROOT);
            boolean isAddress = (scheme.equals("http") || scheme.equals("https"))
                    && uri.getHost() != null
                    && uri.getUserInfo() == null
                    && uri.getQuery() == null
                    && uri.getFragment() == null
                    && uri.getPort() != 0
                    && uri.getPort() <= 0xFFFF
                    && (uri.getPath().isEmpty() || uri.getPath().equals("/"));
            return isAddress
                    ? Optional.of(new URI(
                            scheme, null, uri.getHost().toLowerCase(Locale.ROOT), uri.getPort(), null, null, null))
                    : Optional.empty();
        } catch (URISyntaxException e) {
            return Optional.empty();
        }
    }
}
