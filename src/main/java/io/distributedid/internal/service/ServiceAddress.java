package io.distributedid.internal.service;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Optional;

/** The addresses of an issuing service. */
public final class ServiceAddress {

    private ServiceAddress() {}

    /** The address of a server, in the one form that equal addresses have; empty if it is none. */
    public static Optional<URI> parse(String text) {
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
