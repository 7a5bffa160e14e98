package io.distributedid.internal.keyed.remote;

import io.distributedid.DistributedIdException;
import io.distributedid.IdConfigurationException;
import io.distributedid.IdsExhaustedException;
import io.distributedid.internal.failover.ServerPause;
import io.distributedid.internal.http.HttpCalls;
import io.distributedid.internal.http.HttpFailures;
import io.distributedid.internal.http.JsonObject;
import io.distributedid.internal.http.ServiceAddress;
import io.distributedid.internal.http.ServiceAnswers;
import io.distributedid.internal.http.ServiceException;
import io.distributedid.internal.http.ServiceSettings;
import io.distributedid.internal.keyed.remote.KeyServerException.Kind;
import io.distributedid.internal.keyed.remote.KeySpot.Want;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;

/**
 * One server of an issuing service that gives numbers per key. Thread-safe.
 *
 * <p>A request whose connection broke is sent once more: each takes other numbers, and those of a lost answer are a
 * gap.
 */
final class KeyServer {

    private static final String VERSION =
            "The service may have another version than this library. Update its servers before its clients";

    private final URI address;

    private final Optional<String> token;

    private final ServiceSettings settings;

    private final ServiceAnswers answers;

    /** The problems that a later request would meet again, and what to do. */
    private final Map<String, String> fixes;

    private final ServerPause pause;

    /**
     * Does not connect to it.
     *
     * @param settings for messages
     */
    KeyServer(URI address, Optional<String> token, ServiceSettings settings) {
        this.address = address;
        this.token = token;
        this.settings = settings;
        this.answers = new ServiceAnswers(token);
        this.pause = new ServerPause(address.toString(), ServerPause.outages(System::nanoTime), System::nanoTime);
        this.fixes = Map.of(
                "unknown-sequence",
                "Check the name of the sequence, and distributedid.server.keyed at the service",
                "unauthenticated",
                "Set " + settings.token() + " to a token of the service",
                "forbidden",
                "Use a token that has this right (" + settings.token() + "), or grant it at the service",
                "no-numbers",
                "",
                "unknown-path",
                VERSION,
                "method-not-allowed",
                VERSION,
                "invalid-parameter",
                VERSION);
    }

    String label() {
        return pause.label();
    }

    ServerPause pause() {
        return pause;
    }

    /** Whether this is the server at an address, as another server wrote it. */
    boolean isAt(String other) {
        return ServiceAddress.parse(other).map(address::equals).orElse(false);
    }

    /**
     * Asks for numbers, and waits for the answer.
     *
     * @return the last of {@code count} numbers, or of the key, or its bound
     * @throws IdConfigurationException if a later request would fail the same way
     * @throws IdsExhaustedException if the key has no numbers left
     * @throws KeyServerException if another request may succeed
     */
    long ask(HttpCalls http, KeySpot spot, int count, Duration limit) throws KeyServerException, InterruptedException {
        String path = path(spot.sequence(), "numbers") + "?key="
                + URLEncoder.encode(spot.key(), StandardCharsets.UTF_8)
                + (spot.want() == Want.BOUND ? "&bound=true" : "");
        HttpRequest request = spot.isRead()
                ? request(path).GET().build()
                : request(path + (count == 1 ? "" : "&n=" + count))
                        .POST(HttpRequest.BodyPublishers.noBody())
                        .build();
        try {
            return answer(http, request, limit, spot.toString(), answer -> last(answer, spot, count))
                    .get();
        } catch (ExecutionException e) {
            Throwable failure = HttpFailures.unwrapped(Objects.requireNonNullElse(e.getCause(), e));
            if (failure instanceof KeyServerException known) {
                throw known;
            }
            if (failure instanceof DistributedIdException known) {
                throw known;
            }
            throw new IllegalStateException(failure);
        }
    }

    private static long last(JsonObject answer, KeySpot spot, int count) {
        if (!answer.text("sequence").equals(spot.sequence())
                || !answer.text("key").equals(spot.key())) {
            throw new IllegalArgumentException("it is about " + answer.text("sequence") + " " + answer.text("key"));
        }
        long last = answer.id(spot.isRead() ? "current" : "last");
        boolean isAllowed = spot.isRead() ? last >= 0 : last >= count && answer.id("first") == last - count + 1;
        if (!isAllowed) {
            throw new IllegalArgumentException("it has other numbers than " + count + ": last=" + last);
        }
        return last;
    }

    /** Asks who gives the numbers of which keys. Fails as {@link #ask}. */
    CompletableFuture<JsonObject> table(HttpCalls http, String sequence, Duration limit) {
        HttpRequest request = request(path(sequence, "table")).GET().build();
        return answer(http, request, limit, "seq=" + sequence, Function.identity());
    }

    private static String path(String sequence, String what) {
        return "/v1/keyed/" + sequence + "/" + what;
    }

    private HttpRequest.Builder request(String path) {
        return ServiceAddress.request(address, path, token);
    }

    private <T> CompletableFuture<T> answer(
            HttpCalls http, HttpRequest request, Duration limit, String what, Function<JsonObject, T> value) {
        return http.sendAgainIfBroken(request, limit).handle((response, failure) -> {
            if (failure != null) {
                Throwable inner = HttpFailures.unwrapped(failure);
                throw new CompletionException(new KeyServerException(
                        Kind.UNREACHABLE, HttpFailures.text(inner, address.getHost(), settings), inner));
            }
            return read(response, what, value);
        });
    }

    private <T> T read(HttpResponse<byte[]> response, String what, Function<JsonObject, T> value) {
        try {
            return value.apply(answers.read(response));
        } catch (IllegalArgumentException e) {
            ServiceException malformed = answers.malformed(e);
            throw new CompletionException(new KeyServerException(Kind.UNREACHABLE, malformed.message(), malformed));
        } catch (ServiceException e) {
            throw problem(e, what);
        }
    }

    private RuntimeException problem(ServiceException problem, String what) {
        String where = " (" + what + ", server=" + label() + ")";
        if (problem.type().equals("exhausted")) {
            return new IdsExhaustedException(problem.message() + where);
        }
        String fix = fixes.get(problem.type());
        if (fix != null) {
            String end = problem.message().endsWith("?") ? " " : ". ";
            return new IdConfigurationException(problem.message() + (fix.isEmpty() ? "" : end + fix) + where, problem);
        }
        return new CompletionException(
                switch (problem.kind()) {
                    case PROBLEM ->
                        new KeyServerException(
                                isElsewhere(problem.type()) ? Kind.ELSEWHERE : Kind.UNAVAILABLE,
                                problem.message(),
                                problem.active(),
                                problem);
                    case MALFORMED -> new KeyServerException(Kind.UNREACHABLE, problem.message(), problem);
                    case FOREIGN ->
                        new KeyServerException(
                                Kind.UNREACHABLE,
                                problem.message() + ". Check " + settings.servers()
                                        + ", and what is between this process and the service",
                                problem);
                });
    }

    private static boolean isElsewhere(String type) {
        return type.equals("other-server") || type.equals("standby");
    }
}
