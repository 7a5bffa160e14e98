package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A method of a path. Paths are exact: a slash at the end, an empty segment or another case is another path. A
 * parameter is one segment, not empty.
 *
 * @param method in upper case
 * @param segments of the path, the first one empty; parameters in braces, as in OpenAPI
 * @param rights of which the caller needs one; none if everyone may call it, or the operation looks for itself
 * @param largestBody in bytes; 0 if a request may have no body
 * @param problems answers with one: as {@code application/problem+json}, or as clients of another product read it
 * @param operation answers a request once, now or later, or throws what {@link Exchange#fail} answers. Runs on an event
 *     loop, so it never waits: what may wait goes to {@link Workers} or {@link Exchange#await}
 */
record Route(
        HttpMethod method,
        List<String> segments,
        Set<Right> rights,
        long largestBody,
        BiConsumer<Exchange, Problem> problems,
        Consumer<Exchange> operation) {

    private static Route of(HttpMethod method, String path, Set<Right> rights, Consumer<Exchange> operation) {
        return new Route(method, List.of(path.split("/", -1)), rights, 0, Exchange::refuse, operation);
    }

    static Route get(String path, Set<Right> rights, Consumer<Exchange> operation) {
        return of(HttpMethod.GET, path, rights, operation);
    }

    static Route post(String path, Set<Right> rights, Consumer<Exchange> operation) {
        return of(HttpMethod.POST, path, rights, operation);
    }

    String path() {
        return String.join("/", segments);
    }

    /** By POST, with a body of such a size, or of that in the settings if that is smaller. */
    Route withBody(long largest) {
        return new Route(HttpMethod.POST, segments, rights, largest, problems, operation);
    }

    Route withProblems(BiConsumer<Exchange, Problem> form) {
        return new Route(method, segments, rights, largestBody, form, operation);
    }

    /** Whether a path is this one. */
    boolean fits(List<String> written) {
        if (segments.size() != written.size()) {
            return false;
        }
        for (int i = 0; i < segments.size(); i++) {
            String segment = written.get(i);
            if (isParameter(i) ? segment.isEmpty() : !segments.get(i).equals(segment)) {
                return false;
            }
        }
        return true;
    }

    /**
     * The values of the parameters in a path that fits, decoded, in order.
     *
     * @throws Problem if one is not well-formed
     */
    List<String> values(List<String> written) {
        List<String> values = new ArrayList<>(2);
        for (int i = 0; i < segments.size(); i++) {
            if (isParameter(i)) {
                values.add(Query.decoded(written.get(i), "A part of the path"));
            }
        }
        return values;
    }

    private boolean isParameter(int index) {
        return segments.get(index).startsWith("{");
    }
}
