package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerResponse;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The page for people, {@code /}, and its parts. Everyone may read them, since they hold no data: the script asks
 * {@link StatusOperations}, with the reader's token if the server has tokens.
 *
 * <p>The browser is told to load nothing from elsewhere, to run no other script, to send no form, and to show the page
 * in no frame. It also refuses to make HTML of texts, so a message of a database can't become a script.
 */
final class StatusPage {

    private static final String FOLDER = "status/";

    private static final String SCRIPT = "text/javascript; charset=utf-8";

    /** What the page loads, by its name, with its type. */
    private static final Map<String, String> TYPES = types();

    private static final CharSequence POLICY = HttpHeaders.createOptimized("content-security-policy");

    private static final CharSequence POLICY_OF_PAGE = HttpHeaders.createOptimized(String.join(
            "; ",
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
            "require-trusted-types-for 'script'",
            "trusted-types 'none'"));

    private static final CharSequence CONTENT_TYPE_OPTIONS = HttpHeaders.createOptimized("x-content-type-options");

    private static final CharSequence NO_SNIFF = HttpHeaders.createOptimized("nosniff");

    private static final CharSequence REFERRER_POLICY = HttpHeaders.createOptimized("referrer-policy");

    private static final CharSequence NO_REFERRER = HttpHeaders.createOptimized("no-referrer");

    private static final int OK = 200;

    private static Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        types.put("page.css", "text/css; charset=utf-8");
        types.put("icon.svg", "image/svg+xml");
        for (String script : List.of("page.js", "api.js", "decoder.js", "dom.js", "format.js", "rates.js", "rows.js")) {
            types.put(script, SCRIPT);
        }
        return types;
    }

    private record Part(CharSequence type, Buffer content) {

        static Part of(String file, String type) {
            return new Part(HttpHeaders.createOptimized(type), PackedFile.read(FOLDER + file));
        }
    }

    private final Part page = Part.of("page.html", "text/html; charset=utf-8");

    private final Map<String, Part> parts = new LinkedHashMap<>();

    StatusPage() {
        TYPES.forEach((file, type) -> parts.put(file, Part.of(file, type)));
    }

    List<Route> routes() {
        return List.of(
                Route.get("/", null, exchange -> {
                    exchange.query(List.of());
                    send(exchange, page);
                }),
                Route.get("/" + FOLDER + "{file}", null, this::part));
    }

    private void part(Exchange exchange) {
        exchange.query(List.of());
        Part part = parts.get(exchange.value(0));
        if (part == null) {
            throw new Problem(
                    ProblemType.UNKNOWN_PATH,
                    "The status page has no such part: file=" + Problem.quoted(exchange.value(0)) + ", allowed: "
                            + String.join(", ", parts.keySet()));
        }
        send(exchange, part);
    }

    private static void send(Exchange exchange, Part part) {
        HttpServerResponse response = exchange.request().response();
        response.putHeader(POLICY, POLICY_OF_PAGE);
        response.putHeader(CONTENT_TYPE_OPTIONS, NO_SNIFF);
        response.putHeader(REFERRER_POLICY, NO_REFERRER);
        exchange.send(OK, part.type(), part.content().copy());
    }
}
