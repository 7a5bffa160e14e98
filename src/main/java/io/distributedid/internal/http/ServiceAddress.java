package io.distributedid.internal.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.util.Locale;
import java.util.Optional;

/** The addresses of an issuing service, and requests to them. */
public final class ServiceAddress {

    /** The type of bodies. */
    public static final String JSON = "application/json";

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

    /** A request, over HTTP/2 only with TLS, which agrees on it without a trip. */
    public static HttpRequest.Builder request(URI server, String path, Optional<String> token) {
        HttpRequest.Builder request = HttpRequest.newBuilder(server.resolve(path))
                .version("https".equals(server.getScheme()) ? HttpClient.Version.HTTP_2 : HttpClient.Version.HTTP_1_1)
                .header("Accept", JSON + ", application/problem+json");
        token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
        return request;
    }
}
