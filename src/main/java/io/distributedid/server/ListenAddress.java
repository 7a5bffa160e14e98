package io.distributedid.server;

import io.distributedid.IdConfigurationException;
import io.distributedid.spi.Settings;
import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * Where the server listens. Without tokens and TLS, only programs of the same machine may reach it.
 *
 * @param address of this machine
 * @param port 0 for any
 */
record ListenAddress(InetAddress address, int port) {

    /**
     * Reads the settings.
     *
     * @param isProtected whether there are tokens and TLS
     * @param isInsecure whether the operator does without
     * @throws IdConfigurationException if there is no such host, or callers elsewhere could take ids without a token
     */
    static ListenAddress of(Settings settings, boolean isProtected, boolean isInsecure) {
        String host = settings.get(ServerSettings.HOST);
        try {
            InetAddress address = InetAddress.getByName(host);
            if (!address.isLoopbackAddress() && !isProtected && !isInsecure) {
                throw settings.invalid(
                        ServerSettings.HOST,
                        host,
                        "127.0.0.1, ::1 or localhost, unless there are tokens (distributedid.server.token.NAME.hash) and"
                                + " TLS (" + TlsFiles.CERTIFICATE
                                + "). Everyone who reaches this server could take ids,"
                                + " or read tokens. If only trusted programs reach it, say --insecure");
            }
            return new ListenAddress(address, Math.toIntExact(settings.get(ServerSettings.PORT)));
        } catch (UnknownHostException e) {
            IdConfigurationException refusal =
                    settings.invalid(ServerSettings.HOST, host, ServerSettings.HOST.allowed());
            refusal.initCause(e);
            throw refusal;
        }
    }

    boolean isLoopback() {
        return address.isLoopbackAddress();
    }

    String host() {
        return address.getHostAddress();
    }

    /** The address of a server that listens here. */
    String url(boolean isTls, int actualPort) {
        String host = host();
        return (isTls ? "https://" : "http://") + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + actualPort;
    }
}
