package io.distributedid.server;

import io.netty.util.NetUtil;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.HostAndPort;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Recognises requests that a browser sends for a page of another site. Without tokens, such a page could use ids up.
 *
 * <p>Browsers say with Sec-Fetch-Site for which page they ask, but only over TLS or to the own machine. Otherwise they
 * say the site of the page in Origin, except in a GET of an image and the like. Programs send neither field.
 *
 * <p>A site can also have its own name lead to this machine (DNS rebinding). The browser then takes this server for the
 * site's own, and the page may even read its answers. Only the name in Host tells.
 */
final class BrowserRequest {

    private BrowserRequest() {}

    /** @throws Problem if a browser says that it asks for a page of another site */
    static void requireOwnPage(HttpServerRequest request) {
        String site = request.getHeader("sec-fetch-site");
        String origin = request.getHeader(HttpHeaders.ORIGIN);
        if (site != null) {
            if (!site.equals("same-origin") && !site.equals("none")) {
                throw refusal("A page of another site may not take ids: Sec-Fetch-Site=" + Problem.quoted(site)
                        + ", allowed: same-origin, none, or no such field. Let the site's own server send the request");
            }
        } else if (origin != null && !isOwn(origin, request.authority())) {
            throw refusal("A page of another site may not take ids: Origin=" + Problem.quoted(origin)
                    + ", allowed: the server's own, with the host and port of Host, or no such field. Let the site's"
                    + " own server send the request");
        }
    }

    /** Browsers write host and port alike in both fields, and leave out the usual port. */
    private static boolean isOwn(String origin, @Nullable HostAndPort own) {
        return own != null && origin.replaceFirst("^https?://", "").equalsIgnoreCase(own.toString());
    }

    /** In lower case, without the brackets of an IPv6 address. */
    private static String plain(String host) {
        String name = host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
        return name.toLowerCase(Locale.ROOT);
    }

    /**
     * For a server that trusts every program of its machine. Every browser sends Host.
     *
     * @param ownName by which the settings name this machine
     * @throws Problem if Host names another machine
     */
    static void requireOwnMachine(HttpServerRequest request, String ownName) {
        HostAndPort asked = request.authority();
        String written = asked == null ? request.getHeader(HttpHeaders.HOST) : asked.host();
        if (written == null || (asked != null && isOwnMachine(plain(written), ownName))) {
            return;
        }
        throw refusal("Without tokens, the server answers only requests to this machine's own names: Host="
                + Problem.quoted(written)
                + ", allowed: localhost, 127.0.0.1, [::1]. Configure tokens (distributedid.server.token.NAME.hash), or"
                + " have the proxy in front send Host: localhost");
    }

    private static boolean isOwnMachine(String host, String ownName) {
        if (host.equals("localhost") || host.equals(ownName.toLowerCase(Locale.ROOT))) {
            return true;
        }
        byte[] address = NetUtil.createByteArrayFromIpAddressString(host);
        try {
            return address != null && InetAddress.getByAddress(address).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static Problem refusal(String detail) {
        return new Problem(ProblemType.FORBIDDEN, detail);
    }
}
