package io.distributedid.server;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The files that are packed with this package: the description of the paths, and the page for people, {@code /}, with
 * its parts. Everyone may read them, since they hold no data: the script of the page asks for {@code /v1/status}, with
 * the reader's token if the server has tokens.
 *
 * <p>The browser is told to load nothing from elsewhere, to run no other script, to send no form, and to show the page
 * in no frame. It also refuses to make HTML of texts, so a message of a database can't become a script.
 */
final class PackedFiles {

    private static final String FOLDER = "status/";

    private static final List<String> PARTS = List.of(
            "page.css", "icon.svg", "page.js", "api.js", "decoder.js", "dom.js", "format.js", "rates.js", "rows.js");

    /** By the end of the file's name. */
    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "js", "text/javascript; charset=utf-8",
            "yaml", "application/yaml");

    private static final String POLICY = String.join(
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
            "trusted-types 'none'");

    private static final Map<CharSequence, CharSequence> HEADERS = Map.of(
            HttpHeaders.createOptimized("content-security-policy"), HttpHeaders.createOptimized(POLICY),
            HttpHeaders.createOptimized("x-content-type-options"), HttpHeaders.createOptimized("nosniff"),
            HttpHeaders.createOptimized("referrer-policy"), HttpHeaders.createOptimized("no-referrer"));

    private record PackedFile(CharSequence type, Buffer content) {}

    private final Map<String, PackedFile> parts = new LinkedHashMap<>();

    PackedFiles() {
        PARTS.forEach(name -> parts.put(name, read(FOLDER + name)));
    }

    private static PackedFile read(String name) {
        try (InputStream file = PackedFiles.class.getResourceAsStream(name)) {
            String type = TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "");
            return new PackedFile(
                    HttpHeaders.createOptimized(type),
                    Buffer.buffer(Objects.requireNonNull(file, name).readAllBytes()));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    List<Route> routes() {
        PackedFile page = read(FOLDER + "page.html");
        PackedFile description = read("openapi.yaml");
        return List.of(
                Route.get("/", Set.of(), exchange -> send(exchange, page)),
                Route.get("/openapi.yaml", Set.of(), exchange -> send(exchange, description)),
                Route.get("/" + FOLDER + "{file}", Set.of(), this::part));
    }

    private void part(Exchange exchange) {
        String name = exchange.value("file");
        PackedFile part = parts.get(name);
        if (part == null) {
            throw new Problem(
                    ProblemType.UNKNOWN_PATH,
                    "The status page has no such part: file=" + Problem.quoted(name) + ", allowed: "
                            + String.join(", ", PARTS));
        }
        send(exchange, part);
    }

    private static void send(Exchange exchange, PackedFile file) {
        exchange.query();
        HEADERS.forEach(exchange.request().response()::putHeader);
        exchange.send(200, file.type, file.content.copy());
    }
}
