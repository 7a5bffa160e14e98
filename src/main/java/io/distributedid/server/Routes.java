package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the server. Paths are exact: a slash at the end, an empty segment or another case is another path. A
 * parameter is one segment, not empty. Immutable.
 */
final class Routes {

    /**
     * A route for a request.
     *
     * @param values of the parameters in its path, decoded, in order
     */
    record Match(Route route, List<String> values) {}

    private final List<Route> all;

    Routes(List<Route> all) {
        this.all = List.copyOf(all);
    }

    List<Route> all() {
        return all;
    }

    /**
     * Finds the route of a request.
     *
     * @throws Problem if the path or the method is unknown, or a parameter is not well-formed
     */
    Match find(HttpMethod method, @Nullable String path) {
        String written = path == null ? "" : path;
        List<String> segments = List.of(written.split("/", -1));
        Set<String> allowed = new TreeSet<>();
        for (Route route : all) {
            if (fits(route.segments(), segments)) {
                if (route.method().equals(method)) {
                    return new Match(route, values(route.segments(), segments));
                }
                allowed.add(route.method().name());
            }
        }
        if (allowed.isEmpty()) {
            throw new Problem(
                    ProblemType.UNKNOWN_PATH,
                    "There is no such path: " + Problem.quoted(written) + ". All paths: "
                            + all.stream().map(Route::path).distinct().collect(Collectors.joining(", ")));
        }
        String methods = String.join(", ", allowed);
        throw new Problem(
                ProblemType.METHOD_NOT_ALLOWED,
                "The path does not have this method: " + Problem.quoted(method.name()) + " " + Problem.quoted(written)
                        + ", allowed: " + methods,
                Map.of(Problem.ALLOW, methods));
    }

    private static boolean fits(List<String> pattern, List<String> segments) {
        if (pattern.size() != segments.size()) {
            return false;
        }
        for (int i = 0; i < pattern.size(); i++) {
            String segment = segments.get(i);
            if (isParameter(pattern.get(i))
                    ? segment.isEmpty()
                    : !pattern.get(i).equals(segment)) {
                return false;
            }
        }
        return true;
    }

    private static List<String> values(List<String> pattern, List<String> segments) {
        List<String> values = new ArrayList<>(2);
        for (int i = 0; i < pattern.size(); i++) {
            if (isParameter(pattern.get(i))) {
                values.add(Query.decoded(segments.get(i), "A part of the path"));
            }
        }
        return values;
    }

    private static boolean isParameter(String segment) {
        return segment.startsWith("{");
    }
}
