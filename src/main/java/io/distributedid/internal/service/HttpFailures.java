package io.distributedid.internal.service;

import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.jdbc.FailureText;
import io.distributedid.internal.process.Pages;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ProtocolException;
import java.net.http.HttpTimeoutException;
import java.nio.channels.UnresolvedAddressException;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import javax.net.ssl.SSLException;

/** What a request without an answer means. */
public final class HttpFailures {

    private HttpFailures() {}

    /** Without what a future wraps around it. */
    public static Throwable unwrapped(Throwable failure) {
        Throwable inner = failure;
        while ((inner instanceof CompletionException || inner instanceof ExecutionException)
                && inner.getCause() != null) {
            inner = inner.getCause();
        }
        return inner;
    }

    /** Whether no ids or numbers are left, or fewer than were asked for. */
    public static boolean isExhausted(Throwable failure) {
        return unwrapped(failure) instanceof IdsExhaustedException;
    }

    /**
     * Says why, in words that name the setting to check.
     *
     * @param host of the server
     * @param settings of the client
     */
    static String text(Throwable failure, String host, ServiceSettings settings) {
        if (failure instanceof CancellationException) {
            return "The source of ids is closed";
        }
        if (isCausedBy(failure, UnresolvedAddressException.class)) {
            return "Unknown host: host=" + host + ". Check the host in " + settings.servers();
        }
        if (isCausedBy(failure, HttpTimeoutException.class)) {
            return FailureText.of(failure);
        }
        if (isCausedBy(failure, ConnectException.class)) {
            return "No connection. Check that the server runs, and its host and port in " + settings.servers()
                    + Pages.onCall("service-answer");
        }
        if (isCausedBy(failure, SSLException.class)) {
            return "No TLS connection: " + FailureText.of(failure) + ". Check the server's certificate, and "
                    + settings.trust() + Pages.onCall("service-answer");
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
