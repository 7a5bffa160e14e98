package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A method of a path. Paths are exact: a slash at the end, an empty segment or another case is another path. A
 * parameter is one segment, not empty.
 *
 * @param method in upper case
 * @param path parameters in braces, as in OpenAPI
 * @param segments of the path, the first one empty
 * @param rights of which the caller needs one; none if everyone may call it, or the operation looks for itself
 * @param largestBody in bytes; 0 if a request may have no body
 * @param bodies the bytes of the bodies of its requests that are being answered
 * @param problems answers with one: as {@code application/problem+json}, or as clients of another product read it
 * @param operation answers a request once, now or later, or throws what {@link Exchange#fail} answers. Runs on an event
 *     loop, so it never waits: what may wait goes to {@link Workers} or {@link Exchange#await}
 */
record Route(
        HttpMethod method,
        String path,
        List<String> segments,
        Set<Right> rights,
        long largestBody,
        AtomicLong bodies,
        BiConsumer<Exchange, Problem> problems,
        Consumer<Exchange> operation) {

    /** Of requests that have no path of ours. */
    static final Route NONE = of(HttpMethod.GET, "none", Set.of(), exchange -> {});

    private static Route of(HttpMethod method, String path, Set<Right> rights, Consumer<Exchange> operation) {
        return new Route(method, path, segments(path), rights, 0, new AtomicLong(), Exchange::refuse, operation);
    }

    static Route get(String path, Set<Right> rights, Consumer<Exchange> operation) {
        return of(HttpMethod.GET, path, rights, operation);
    }

    static Route post(String path, Set<Right> rights, Consumer<Exchange> operation) {
        return of(HttpMethod.POST, path, rights, operation);
    }

    static List<String> segments(String path) {
        return List.of(path.split("/", -1));
    }

    /** By POST, with a body of such a size, or of that in the settings if that is smaller. */
    Route withBody(long largest) {
        return new Route(HttpMethod.POST, path, segments, rights, largest, new AtomicLong(), problems, operation);
    }

    Route withProblems(BiConsumer<Exchange, Problem> form) {
        return new Route(method, path, segments, rights, largestBody, bodies, form, operation);
    }

    /** Whether a path is this one. */
    boolean fits(List<String> written) {
        if (segments.size() != written.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            String segment = segments.get(i);
            if (segment.startsWith("{") ? written.get(i).isEmpty() : !segment.equals(written.get(i))) {
                return false;
            }
        }
        return true;
    }
}
