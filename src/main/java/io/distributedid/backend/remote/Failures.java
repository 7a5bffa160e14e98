package io.distributedid.backend.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.internal.jdbc.FailureText;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** What a failed request means, in words that name the setting to check. */
final class Failures {

    private Failures() {}

    /** Without what a future wraps around it. */
    static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while (inner instanceof CompletionException && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /**
     * The failure of a server as its callers know it: a {@link RemoteException}, or an exception of this library.
     *
     * @param host of the server
     */
    static Exception of(Throwable failure, String host) {
        Throwable inner = unwrapped(failure);
        if (inner instanceof RemoteException known) {
            return known;
        }
        if (inner instanceof DistributedIdException known) {
            return known;
        }
        return new UnreachableException(text(inner, host), inner);
    }

    private static String text(Throwable failure, String host) {
        if (failure instanceof CancellationException) {
            return "The source of ids is closed";
        }
        if (isCausedBy(failure, UnresolvedAddressException.class)) {
            return "Unknown host: host=" + host + ". Check the host in " + RemoteSettings.SERVERS;
        }
        if (isCausedBy(failure, HttpTimeoutException.class)) {
            return FailureText.of(failure);
        }
        if (isCausedBy(failure, ConnectException.class)) {
            return "No connection. Check that the server runs, and its host and port in " + RemoteSettings.SERVERS;
        }
        if (isCausedBy(failure, SSLException.class)) {
            return "No TLS connection: " + FailureText.of(failure) + ". Check the server's certificate, and "
                    + RemoteSettings.TRUST;
        }
        return "The request failed: " + FailureText.of(failure);
    }

    /** Whether the connection ended with the answer under way, or was ended by the server before the request came. */
    static boolean isBroken(Throwable failure) {
        Throwable inner = unwrapped(failure);
        return inner instanceof IOException
                && !isCausedBy(inner, HttpTimeoutException.class)
                && !isCausedBy(inner, ConnectException.class)
                && !isCausedBy(inner, SSLException.class)
                && !isCausedBy(inner, ProtocolException.class);
    }

    private static boolean isCausedBy(Throwable failure, Class<? extends Throwable> type) {
        return Stream.iterate(failure, Objects::nonNull, Throwable::getCause).anyMatch(type::isInstance);
    }
}
