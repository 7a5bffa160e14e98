package io.distributedid.backend.snowflake.lease;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.http.HttpFailures;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.OneTimeBody;
import io.distributedid.internal.http.ServiceAddress;
import io.distributedid.internal.http.ServiceAnswers;
import io.distributedid.internal.http.ServiceException;
import io.distributedid.internal.http.ServiceSettings;
import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One server of an issuing service that serves a store of worker numbers. Its futures fail with a
 * {@link WorkerStoreException}, or with an exception of this library if a later request would fail the same way. For
 * one thread at a time.
 */
final class StoreServer {

    /** The problems that a later request would meet again, and what to do. */
    private final Map<String, String> fixes;

    private final URI address;

    private final Optional<String> token;

    private final ServiceSettings settings;

    private final ServiceAnswers answers;

    private @Nullable String identity;

    /** @param settings for messages */
    StoreServer(URI address, Optional<String> token, ServiceSettings settings) {
        this.address = address;
        this.token = token;
        this.settings = settings;
        answers = new ServiceAnswers(token);
        String version = "The server may have another version than this library";
        fixes = Map.of(
                "unauthenticated", "Set " + settings.token() + " to a token of the service",
                "forbidden",
                        "Use a token with the right workers (" + settings.token() + "), or grant it at the service",
                "unknown-path", "Set distributedid.server.workers=true at the service",
                "method-not-allowed", version,
                "invalid-parameter", version,
                "invalid-body", version,
                "too-large", version);
    }

    String label() {
        return address.toString();
    }

    /** The {@linkplain StoreRecord#identity identity} of its store in its newest answer; null if it is not known. */
    @Nullable
    String identity() {
        return identity;
    }

    void says(@Nullable String newest) {
        identity = newest;
    }

    CompletableFuture<JsonObject> get(HttpCalls http, String path, Duration limit) {
        return answer(http, request(path).GET().build(), limit);
    }

    CompletableFuture<JsonObject> post(HttpCalls http, String path, OneTimeBody body, Duration limit) {
        HttpRequest.Builder request = request(path).header("Content-Type", ServiceAddress.JSON);
        return answer(http, request.POST(body).build(), limit);
    }

    private HttpRequest.Builder request(String path) {
        return ServiceAddress.request(address, path, token);
    }

    private CompletableFuture<JsonObject> answer(HttpCalls http, HttpRequest request, Duration limit) {
        return http.send(request, limit).handle((response, failure) -> {
            if (failure != null) {
                throw new CompletionException(failure(failure));
            }
            return read(response);
        });
    }

    private WorkerStoreException failure(Throwable failure) {
        Throwable inner = HttpFailures.unwrapped(failure);
        return new WorkerStoreException(HttpFailures.text(inner, address.getHost(), settings), inner);
    }

    private JsonObject read(HttpResponse<byte[]> response) {
        try {
            return answers.read(response);
        } catch (ServiceException e) {
            String fix = fixes.get(e.type());
            if (fix != null) {
                throw new IdConfigurationException(e.message() + ". " + fix + " (server=" + label() + ")", e);
            }
            throw new CompletionException(new WorkerStoreException(
                    e.kind() == ServiceException.Kind.FOREIGN
                            ? e.message() + ". Check " + settings.servers()
                                    + ", and what is between this process and the service"
                            : e.message(),
                    e));
        }
    }

    /** What the failure of a future is. */
    Exception reason(Throwable failure) {
        Throwable inner = HttpFailures.unwrapped(failure);
        if (inner instanceof WorkerStoreException known) {
            return known;
        }
        if (inner instanceof DistributedIdException known) {
            return known;
        }
        ServiceException malformed = answers.malformed(
                inner instanceof RuntimeException unchecked ? unchecked : new IllegalArgumentException(inner));
        return new WorkerStoreException(malformed.message(), malformed);
    }
}
