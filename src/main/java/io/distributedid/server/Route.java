package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A method of a path.
 *
 * @param method in upper case
 * @param segments of the path, the first one empty; parameters in braces, as in OpenAPI
 * @param rights of which the caller needs one; none if everyone may call it, or the operation looks for itself
 * @param largestBody in bytes; 0 if a request may have no body
 * @param problems answers with one: as {@code application/problem+json}, or as clients of another product read it
 * @param operation answers a request once, now or later, or throws what {@link Exchange#fail} answers. Runs on an event
 *     loop, so it never waits: what may wait goes to {@link Workers} or {@link WaitingRequests}
 */
record Route(
        HttpMethod method,
        List<String> segments,
        Set<Right> rights,
        long largestBody,
        BiConsumer<Exchange, Problem> problems,
        Consumer<Exchange> operation) {

    private Route(HttpMethod method, String path, @Nullable Right right, Consumer<Exchange> operation) {
        this(
                method,
                List.of(path.split("/", -1)),
                right == null ? Set.of() : EnumSet.of(right),
                0,
                Exchange::refuse,
                operation);
    }

    static Route get(String path, @Nullable Right right, Consumer<Exchange> operation) {
        return new Route(HttpMethod.GET, path, right, operation);
    }

    static Route post(String path, @Nullable Right right, Consumer<Exchange> operation) {
        return new Route(HttpMethod.POST, path, right, operation);
    }

    String path() {
        return String.join("/", segments);
    }

    /** Another right suffices too. */
    Route or(Right other) {
        Set<Right> either = EnumSet.of(other);
        either.addAll(rights);
        return new Route(method, segments, either, largestBody, problems, operation);
    }

    /** By POST, with a body of such a size, or of that in the settings if that is smaller. */
    Route withBody(long largest) {
        return new Route(HttpMethod.POST, segments, rights, largest, problems, operation);
    }

    Route withProblems(BiConsumer<Exchange, Problem> form) {
        return new Route(method, segments, rights, largestBody, form, operation);
    }
}
