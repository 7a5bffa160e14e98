package io.distributedid.server;

import io.vertx.core.http.HttpMethod;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The paths of the server, as a tree of their segments. Paths are exact: a slash at the end, an empty segment or
 * another case is another path. A parameter is one segment, not empty. Immutable.
 */
final class Routes {

    /**
     * A route for a request.
     *
     * @param values of the parameters in its path, decoded, in order
     */
    record Match(Route route, List<String> values) {}

    private static final class Segment {

        private final Map<String, Segment> named = new HashMap<>();

        private final Map<HttpMethod, Route> routes = new HashMap<>();

        /** Null if there is no parameter at this place. */
        private @Nullable Segment parameter;

        Segment child(String text) {
            if (!text.startsWith("{")) {
                return named.computeIfAbsent(text, name -> new Segment());
            }
            if (parameter == null) {
                parameter = new Segment();
            }
            return parameter;
        }
    }

    private final Segment root = new Segment();

    private final List<Route> all;

    Routes(List<Route> all) {
        this.all = List.copyOf(all);
        for (Route route : all) {
            Segment segment = root;
            for (String text : route.path().substring(1).split("/", -1)) {
                segment = segment.child(text);
            }
            if (segment.routes.put(route.method(), route) != null) {
                throw new IllegalArgumentException("A route must be unique: " + route.method() + " " + route.path());
            }
        }
    }

    List<Route> all() {
        return all;
    }

    /**
     * Finds the route of a request.
     *
     * @throws Problem.Refusal if the path or the method is unknown, or a parameter is not well-formed
     */
    Match find(HttpMethod method, @Nullable String path) {
        String written = path == null ? "" : path;
        List<String> values = new ArrayList<>(2);
        Segment segment = segment(written, values);
        if (segment == null || segment.routes.isEmpty()) {
            throw new Problem(
                            ProblemType.UNKNOWN_PATH,
                            "There is no such path: " + Problem.quoted(written) + ". All paths: "
                                    + all.stream().map(Route::path).distinct().collect(Collectors.joining(", ")))
                    .refusal();
        }
        Route route = segment.routes.get(method);
        if (route == null) {
            throw methodRefused(method, written, segment);
        }
        return new Match(route, values);
    }

    /** Null if there is none. Adds the values of parameters. */
    private @Nullable Segment segment(String path, List<String> values) {
        if (!path.startsWith("/")) {
            return null;
        }
        Segment segment = root;
        int start = 0;
        while (segment != null && start < path.length()) {
            int slash = path.indexOf('/', start + 1);
            int end = slash < 0 ? path.length() : slash;
            segment = next(segment, path.substring(start + 1, end), values);
            start = end;
        }
        return segment;
    }

    private static @Nullable Segment next(Segment segment, String text, List<String> values) {
        Segment named = segment.named.get(text);
        if (named != null || segment.parameter == null || text.isEmpty()) {
            return named;
        }
        values.add(PercentCode.decode(text)
                .orElseThrow(() -> new Problem(
                                ProblemType.INVALID_PARAMETER,
                                "A part of the path is not well-formed: " + Problem.quoted(text)
                                        + ", allowed: UTF-8, with other bytes as % and two hexadecimal digits")
                        .refusal()));
        return segment.parameter;
    }

    private static Problem.Refusal methodRefused(HttpMethod method, String path, Segment segment) {
        String allowed =
                segment.routes.keySet().stream()
                        .map(HttpMethod::name)
                        .collect(Collectors.toCollection(TreeSet::new))
                        .stream()
                        .collect(Collectors.joining(", "));
        return new Problem(
                        ProblemType.METHOD_NOT_ALLOWED,
                        "The path does not have this method: " + Problem.quoted(method.name()) + " "
                                + Problem.quoted(path) + ", allowed: " + allowed,
                        Map.of(Problem.ALLOW, allowed))
                .refusal();
    }
}
